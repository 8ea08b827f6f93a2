// Loads the WebAssembly module, once for all that use this package on a page: from where it lies beside this file, or
// from a URL, bytes or a module of the caller's.
import { Core, ZoetropeError } from "./core.js";
import { inflate } from "./inflate.js";

/** @type {Core | null} */
let loaded = null;
/** @type {Promise<Core> | null} */
let loading = null;

const isNode = typeof process === "object" && typeof process?.versions?.node === "string";

/** The module, for calls that cannot wait. Throws when nobody has loaded it yet. */
export function core() {
    if (!loaded) { throw new ZoetropeError("the module is not loaded yet: await load() first", { status: "not-loaded" }); }
    return loaded;
}

/**
 * Loads the module; what is there already is used again, whatever is asked for then. After a failure the next call tries
 * anew.
 * @param {any} [from] URL, text of one, Response, bytes, WebAssembly.Module, or a promise of one; without it the file
 *     beside this one
 * @returns {Promise<Core>}
 */
export function loadCore(from) {
    if (loaded) { return Promise.resolve(loaded); }
    loading ??= instantiate(from).then(
        (made) => {
            loaded = made;
            return made;
        },
        (fault) => {
            loading = null;
            throw fault;
        },
    );
    return loading;
}

/** @param {any} [from] */
export async function load(from) {
    await loadCore(from);
}

async function instantiate(/** @type {any} */ from) {
    const given = (await from) ?? new URL("./zoetrope.wasm", import.meta.url);
    /** @type {Core | null} */
    let made = null;
    const imports = {
        zoetrope: {
            // In the middle of a call of the module's: nothing here may make its memory grow.
            inflate(/** @type {number} */ scheme, /** @type {number} */ at, /** @type {number} */ size,
                    /** @type {number} */ to, /** @type {number} */ toSize) {
                if (!made) { return 0; }
                const u8 = made.u8;
                const unpacked = inflate(scheme, u8.subarray(at >>> 0, (at >>> 0) + (size >>> 0)), toSize >>> 0);
                if (!unpacked) { return 0; }
                u8.set(unpacked.bytes, to >>> 0);
                const { exports } = made;
                const good = unpacked.checks.every(({ at: from, size: length, sum }) =>
                    exports.zw_xxh64_low((to >>> 0) + from, length) >>> 0 === sum);
                return good ? 1 : 0;
            },
        },
    };
    const module = given instanceof WebAssembly.Module ? given : await compileModule(given);
    made = new Core((await WebAssembly.instantiate(module, imports)).exports);
    return made;
}

async function compileModule(/** @type {any} */ given) {
    if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) { return checked(given, "the bytes given"); }
    if (typeof Response === "function" && given instanceof Response) { return fromResponse(given); }
    if (typeof given !== "string" && !(given instanceof URL)) {
        throw new TypeError("load() takes a URL, bytes, a Response or a WebAssembly.Module");
    }
    const url = new URL(given, typeof location === "object" ? location.href : import.meta.url);
    if (isNode && url.protocol === "file:") {
        const name = "node:fs/promises"; // not spelt in the call: bundlers for browsers need not look for it
        const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
        return checked(await readFile(url), url.href);
    }
    return fromResponse(await fetch(url));
}

// Servers that call it something else than application/wasm are many: then its bytes are compiled, and only what they
// say counts.
async function fromResponse(/** @type {Response} */ response) {
    const where = response.url || "the response";
    if (!response.ok) { throw new ZoetropeError(`${where}: the server answers ${response.status}`, { status: "unreachable" }); }
    const type = (response.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
    if (type === "application/wasm" && typeof WebAssembly.compileStreaming === "function") {
        return WebAssembly.compileStreaming(response);
    }
    return checked(await response.arrayBuffer(), where);
}

async function checked(/** @type {ArrayBuffer | ArrayBufferView} */ given, /** @type {string} */ where) {
    const bytes = given instanceof ArrayBuffer ? new Uint8Array(given)
        : new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
    if (bytes.length < 8 || bytes[0] !== 0 || bytes[1] !== 0x61 || bytes[2] !== 0x73 || bytes[3] !== 0x6d) {
        const text = new TextDecoder().decode(bytes.subarray(0, 24)).trimStart();
        const page = text.startsWith("<") ? "; it looks like a web page: is the path right?" : "";
        throw new ZoetropeError(`${where}: this is no WebAssembly module${page}`, { status: "unsupported" });
    }
    return WebAssembly.compile(bytes);
}
