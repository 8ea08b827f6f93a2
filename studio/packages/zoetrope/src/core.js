// The WebAssembly module as JavaScript sees it: its exports, views of its memory that are never stale, texts and bytes
// in and out. Used by every other file here; knows nothing of programs or players.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8");

/** What the library says of an input, or of a call that cannot be done. `diagnostics` is empty where it is no input's fault. */
export class ZoetropeError extends Error {
    /**
     * @param {string} message
     * @param {{status?: string, report?: any, cause?: unknown}} [more]
     */
    constructor(message, more = {}) {
        super(message, more.cause === undefined ? undefined : { cause: more.cause });
        this.name = "ZoetropeError";
        this.status = more.status ?? "invalid";
        this.report = more.report ?? null;
        this.diagnostics = more.report ? more.report.diagnostics : [];
    }
}

export class Core {
    #u8 = new Uint8Array(0);
    #u32 = new Uint32Array(0);
    #i32 = new Int32Array(0);
    #f32 = new Float32Array(0);
    #f64 = new Float64Array(0);

    /** @param {WebAssembly.Exports} exports */
    constructor(exports) {
        this.exports = /** @type {any} */ (exports);
        this.memory = this.exports.memory;
        this.exports._initialize?.();
    }

    // When memory grows, every view of it is emptied; asked for here, a view is good until the next call that may
    // allocate.
    get u8() {
        if (this.#u8.buffer !== this.memory.buffer) { this.#u8 = new Uint8Array(this.memory.buffer); }
        return this.#u8;
    }

    get u32() {
        if (this.#u32.buffer !== this.memory.buffer) { this.#u32 = new Uint32Array(this.memory.buffer); }
        return this.#u32;
    }

    get i32() {
        if (this.#i32.buffer !== this.memory.buffer) { this.#i32 = new Int32Array(this.memory.buffer); }
        return this.#i32;
    }

    get f32() {
        if (this.#f32.buffer !== this.memory.buffer) { this.#f32 = new Float32Array(this.memory.buffer); }
        return this.#f32;
    }

    get f64() {
        if (this.#f64.buffer !== this.memory.buffer) { this.#f64 = new Float64Array(this.memory.buffer); }
        return this.#f64;
    }

    /** Memory of the module. Throws when there is none. */
    alloc(/** @type {number} */ size) {
        const at = size <= 0x7fffffff ? this.exports.zw_alloc(size) >>> 0 : 0;
        if (at === 0) { throw outOfMemory(); }
        return at;
    }

    free(/** @type {number} */ at) {
        if (at !== 0) { this.exports.zw_free(at); }
    }

    /** A copy of the bytes in memory of the module. */
    put(/** @type {Uint8Array} */ bytes) {
        const at = this.alloc(bytes.length);
        this.u8.set(bytes, at);
        return at;
    }

    /** A text that ends in a zero byte, in memory of the module. One that holds such a byte itself is refused. */
    text(/** @type {string} */ text) {
        if (text.includes("\0")) { throw new ZoetropeError(`a name cannot hold a zero byte: ${JSON.stringify(text)}`); }
        const bytes = encoder.encode(text);
        const at = this.alloc(bytes.length + 1);
        const u8 = this.u8;
        u8.set(bytes, at);
        u8[at + bytes.length] = 0;
        return at;
    }

    /**
     * Calls `use` with the texts in memory of the module, which are freed then; null stays 0.
     * @template T
     * @param {(string | null | undefined)[]} texts
     * @param {(...at: number[]) => T} use
     * @returns {T}
     */
    withTexts(texts, use) {
        /** @type {number[]} */
        const places = [];
        try {
            for (const text of texts) { places.push(text === null || text === undefined ? 0 : this.text(String(text))); }
            return use(...places);
        } finally {
            for (const at of places) { this.free(at); }
        }
    }

    /** A text of the module's own that ends in a zero byte. */
    read(/** @type {number} */ at) {
        const u8 = this.u8;
        let end = at;
        while (u8[end] !== 0) { end++; }
        return decoder.decode(u8.subarray(at, end));
    }

    /** What the last call has written. */
    sinkBytes() {
        const at = this.exports.zw_sink_data() >>> 0;
        const size = this.exports.zw_sink_size() >>> 0;
        if (at === 0) { throw outOfMemory(); }
        return this.u8.slice(at, at + size);
    }

    sink() {
        const at = this.exports.zw_sink_data() >>> 0;
        const size = this.exports.zw_sink_size() >>> 0;
        if (at === 0) { throw outOfMemory(); }
        return decoder.decode(this.u8.subarray(at, at + size));
    }

    json() { return JSON.parse(this.sink()); }

    status(/** @type {number} */ number) { return this.read(this.exports.zw_status(number) >>> 0).replaceAll(" ", "-"); }
}

export function outOfMemory() {
    return new ZoetropeError("the module's memory is used up", { status: "no-memory" });
}

/** The handle of an object that has not been freed. */
export function alive(/** @type {number} */ handle, /** @type {string} */ what) {
    if (handle === 0) { throw new ZoetropeError(`this ${what} has been freed`, { status: "invalid" }); }
    return handle;
}

/** Bytes of whatever a caller may have: a text, bytes in any wrapping, or a value that becomes JSON. */
export function toBytes(/** @type {any} */ input) {
    if (typeof input === "string") { return encoder.encode(input); }
    if (input instanceof Uint8Array) { return input; }
    if (input instanceof ArrayBuffer) { return new Uint8Array(input); }
    if (ArrayBuffer.isView(input)) { return new Uint8Array(input.buffer, input.byteOffset, input.byteLength); }
    if (typeof input === "object" && input !== null) { return encoder.encode(JSON.stringify(input, null, 2)); }
    throw new TypeError(`an input is a text, bytes or a JSON value, not ${input === null ? "null" : typeof input}`);
}
