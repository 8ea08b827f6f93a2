// The pictures that a program's cels are shown with: fetched, decoded, kept premultiplied in the module's memory, where
// the rasteriser reads them and from where they go to the graphics card. Textures of packs stay packed until they are
// drawn, and only as many are kept unpacked as a budget has room for.
import { outOfMemory, toBytes, ZoetropeError } from "./core.js";
import { readerOf } from "./compile.js";

const SIDE_MAX = 16384;
const BYTES_MAX = 256 * 1024 * 1024; // of one picture's pixels
const UNPACKED_MAX = 192 * 1024 * 1024; // of all textures that could be packed again
const AT_ONCE = 16;
const KTX2 = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];

const leftBehind = new FinalizationRegistry((/** @type {() => void} */ free) => free());

/**
 * @typedef {object} Entry
 * @property {string} name
 * @property {number} width
 * @property {number} height
 * @property {number} at where its pixels are in the module's memory; 0: nowhere
 * @property {Uint8Array | null} packed the file that they are unpacked from
 * @property {number} stamp another number whenever the pixels are others
 * @property {number} used when it was last wanted
 * @property {string} fault why it cannot be shown, or ""
 */

export class Pictures {
    /** @type {Entry[]} */
    #entries = [];
    /** @type {Map<string, number>} */
    #byName = new Map();
    /** @type {Map<string, any[]>} cels by their own name and by their image's */
    #called = new Map();
    /** @type {Int32Array} cel - 1 to entry, -1: none */
    #cels;
    #unpacked = 0;
    #uses = 0;
    #stamps = 0;
    #free;
    #freed = false;

    /** @param {import("./program.js").Program} program @param {{memory?: number}} [options] bytes for unpacked textures */
    constructor(program, options = {}) {
        this.program = program;
        this.core = program.core;
        this.memory = options.memory ?? UNPACKED_MAX;
        /** Changes whenever pictures come or go. */
        this.version = 0;
        /** @type {{name: string, message: string}[]} what could not be loaded, and why */
        this.faults = [];
        /** Until all that load() was asked for has been tried. */
        this.rest = Promise.resolve();
        this.#cels = new Int32Array(program.cels.length).fill(-1);
        for (const cel of program.cels) {
            for (const name of new Set([cel.name, cel.image])) {
                const called = this.#called.get(name);
                if (called) { called.push(cel); } else { this.#called.set(name, [cel]); }
            }
        }
        const entries = this.#entries, made = this.core;
        this.#free = () => { for (const entry of entries) { made.free(entry.at); entry.at = 0; } };
        leftBehind.register(this, this.#free, this);
    }

    /** How many pictures there are; scenes number them from 1. */
    get count() { return this.#entries.length; }
    entry(/** @type {number} */ image) { return this.#entries[image - 1]; }
    /** The number of the picture that shows a cel (its id); 0: none. */
    imageOf(/** @type {number} */ cel) { return this.#cels[cel - 1] + 1; }

    /** Names of cels that have no picture: those that the host is to set, and those whose file could not be had. */
    get missing() {
        return this.program.cels.filter((/** @type {any} */ c) => this.#cels[c.id - 1] < 0).map((/** @type {any} */ c) => c.name);
    }

    /**
     * Fetches and decodes what the program names. What cannot be had is told in `faults`; nothing is thrown for it.
     * @param {{base?: URL | string, read?: (name: string, kind: string) => Promise<any>,
     *     decode?: (bytes: Uint8Array, name: string) => Promise<any> | any, files?: Record<string, any>,
     *     signal?: AbortSignal, first?: number}} [options] `first`: so many, in the order of the cels, are there when it
     *     returns; the others follow, and `rest` waits for them. Until then what was shown before stands in
     */
    async load(options = {}) {
        const base = options.base ?? this.program.base;
        const read = options.read ?? (base
            ? readerOf(new URL(base, typeof location === "object" ? location.href : undefined), this.program.format, options.signal)
            : null);
        const names = [...new Set(this.program.cels.map((/** @type {any} */ c) => c.image))]
            .filter((name) => name !== "" && !this.#byName.has(name));
        const ahead = options.first ?? names.length;
        await this.#loadAll(names.slice(0, ahead), read, options);
        // What waits for the rest hears of what stops it; whoever does not is not to be told by the process.
        this.rest = this.#loadAll(names.slice(ahead), read, options);
        this.rest.catch(() => {});
    }

    async #loadAll(/** @type {string[]} */ names, /** @type {any} */ read, /** @type {any} */ options) {
        for (let first = 0; first < names.length; first += AT_ONCE) {
            options.signal?.throwIfAborted();
            await Promise.all(names.slice(first, first + AT_ONCE).map((name) => this.#loadOne(name, read, options)));
        }
    }

    async #loadOne(/** @type {string} */ name, /** @type {any} */ read, /** @type {any} */ options) {
        try {
            const bytes = await this.#find(name, read, options.files);
            if (!bytes) { throw new ZoetropeError("it is not there", { status: "unreachable" }); }
            if (KTX2.every((byte, i) => bytes[i] === byte)) {
                this.#addPacked(name, bytes);
                return;
            }
            const image = await (options.decode ?? decodeHere)(bytes, name);
            if (!this.#freed && !options.signal?.aborted) { this.set(name, image); }
        } catch (fault) {
            if (options.signal?.aborted) { return; }
            this.faults.push({ name, message: /** @type {Error} */ (fault).message });
            if (RESOURCE.test(name) && !this.#freed) { this.set(name, checker()); } // as the game shows what is not there
        }
    }

    async #find(/** @type {string} */ name, /** @type {any} */ read, /** @type {any} */ files) {
        for (const path of placesOf(name, String(this.program.base ?? ""))) {
            if (files && Object.hasOwn(files, path)) { return toBytes(files[path]); }
            const found = await read?.(path, "bytes");
            if (found && !found.folder) { return toBytes(found); }
        }
        return null;
    }

    #addPacked(/** @type {string} */ name, /** @type {Uint8Array} */ bytes) {
        if (this.#freed) { return; }
        const at = this.core.put(bytes);
        const { exports } = this.core;
        const status = exports.zw_texture_look(at, bytes.length);
        this.core.free(at);
        if (status !== 0) { throw new ZoetropeError(this.core.json().text, { status: this.core.status(status) }); }
        const width = exports.zw_texture_width() >>> 0, height = exports.zw_texture_height() >>> 0;
        this.#put(name, { name, width, height, at: 0, packed: bytes, stamp: 0, used: 0, fault: "" });
    }

    #put(/** @type {string} */ name, /** @type {Entry} */ entry) {
        const old = this.#byName.get(name);
        if (old !== undefined) {
            this.#drop(this.#entries[old]);
            this.#entries[old] = entry;
        } else {
            this.#byName.set(name, this.#entries.length);
            this.#entries.push(entry);
        }
        const index = /** @type {number} */ (this.#byName.get(name));
        for (const cel of this.#called.get(name) ?? []) {
            if (cel.image === name || cel.image === "" || this.#cels[cel.id - 1] < 0) { this.#cels[cel.id - 1] = index; }
        }
        this.version++;
    }

    #drop(/** @type {Entry} */ entry) {
        if (entry.packed && entry.at !== 0) { this.#unpacked -= entry.width * entry.height * 4; }
        this.core.free(entry.at);
        entry.at = 0;
    }

    /**
     * The picture of a cel (by its name) or of all cels that are parts of an image (by its name). Straight alpha.
     * @param {string} name @param {any} source ImageData, ImageBitmap, an image, a canvas, or {width, height, data: RGBA}
     */
    set(name, source) {
        if (this.#freed) { throw new ZoetropeError("these pictures have been freed"); }
        if (name === "" || !this.#called.has(name)) {
            throw new RangeError(`there is no picture ${JSON.stringify(name)}`);
        }
        const { width, height, data } = pixelsOf(source);
        if (!(Number.isInteger(width) && Number.isInteger(height) && width >= 1 && height >= 1 && width <= SIDE_MAX && height <= SIDE_MAX && width * height * 4 <= BYTES_MAX)) {
            throw new RangeError(`a picture of ${width} x ${height} pixels is too large or none`);
        }
        if (data.length < width * height * 4) { throw new RangeError("the picture has fewer pixels than its sides say"); }
        const at = this.core.alloc(width * height * 4);
        this.core.u8.set(data.subarray(0, width * height * 4), at);
        this.core.exports.zw_image_premultiply(at, width, height);
        this.#put(name, { name, width, height, at, packed: null, stamp: ++this.#stamps, used: 0, fault: "" });
    }

    /** Makes sure that the pixels of picture `image` (from 1) are in the module's memory. false: they cannot be had. */
    want(/** @type {number} */ image) {
        const entry = this.#entries[image - 1];
        if (!entry || entry.fault !== "") { return false; }
        entry.used = ++this.#uses;
        if (entry.at !== 0) { return true; }
        if (!entry.packed) { return false; }
        const size = entry.width * entry.height * 4;
        this.#makeRoom(size);
        const at = this.core.alloc(size);
        const file = this.core.put(entry.packed);
        const status = this.core.exports.zw_texture_decode(file, entry.packed.length, at);
        this.core.free(file);
        if (status !== 0) {
            entry.fault = this.core.json().text ?? "it cannot be unpacked";
            this.core.free(at);
            this.faults.push({ name: entry.name, message: entry.fault });
            return false;
        }
        entry.at = at;
        entry.stamp = ++this.#stamps;
        this.#unpacked += size;
        return true;
    }

    // What was wanted longest ago goes first.
    #makeRoom(/** @type {number} */ size) {
        while (this.#unpacked + size > this.memory) {
            let oldest = null;
            for (const entry of this.#entries) {
                if (entry.packed && entry.at !== 0 && (!oldest || entry.used < oldest.used)) { oldest = entry; }
            }
            if (!oldest) { return; }
            this.#drop(oldest);
        }
    }

    free() {
        if (this.#freed) { return; }
        this.#freed = true;
        leftBehind.unregister(this);
        this.#free();
        this.#unpacked = 0;
        this.version++;
    }
}

const RESOURCE = /^([a-z0-9_.-]+):(.+)$/;

// Where a picture may lie. A resource "domain:block/door" is looked for as textures/block/door.png, block/door.png and
// below the assets of its domain, and then without its folder, so that a heap of files works as well as a resource pack.
function placesOf(/** @type {string} */ name, /** @type {string} */ base) {
    const resource = RESOURCE.exec(name);
    if (!resource) { return [name]; }
    const [, domain, path] = resource;
    const places = [];
    for (const part of new Set([path, path.slice(path.lastIndexOf("/") + 1)])) {
        const loose = [`textures/${part}.png`, `${part}.png`], asset = `assets/${domain}/textures/${part}.png`;
        places.push(...(base.includes("/assets/") ? [asset, ...loose] : [...loose, asset]));
    }
    return places;
}

function checker() {
    const data = new Uint8Array(16 * 16 * 4);
    for (let i = 0; i < 256; i++) {
        const on = ((i >> 7) ^ (i >> 3)) & 1; // eight by eight
        data.set(on ? [0, 0, 0, 255] : [248, 0, 248, 255], i * 4);
    }
    return { width: 16, height: 16, data };
}

/** @returns {{width: number, height: number, data: Uint8Array | Uint8ClampedArray}} */
function pixelsOf(/** @type {any} */ source) {
    if (source && typeof source.width === "number" && source.data && source.data.length !== undefined) { return source; }
    const width = source?.naturalWidth || source?.videoWidth || source?.width;
    const height = source?.naturalHeight || source?.videoHeight || source?.height;
    if (!(width >= 1 && height >= 1)) { throw new TypeError("a picture is ImageData, a bitmap, an image, a canvas or pixels"); }
    const canvas = typeof OffscreenCanvas === "function" ? new OffscreenCanvas(width, height)
        : Object.assign(document.createElement("canvas"), { width, height });
    const context = /** @type {any} */ (canvas.getContext("2d", { willReadFrequently: true }));
    context.drawImage(source, 0, 0);
    return context.getImageData(0, 0, width, height);
}

async function decodeHere(/** @type {Uint8Array} */ bytes, /** @type {string} */ name) {
    if (typeof createImageBitmap !== "function") {
        throw new ZoetropeError("nothing here decodes pictures: give load() a decode function", { status: "unsupported" });
    }
    try {
        return await createImageBitmap(new Blob([/** @type {any} */ (bytes)]), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    } catch {
        throw new ZoetropeError(`'${name}' is no picture that can be decoded here`);
    }
}
