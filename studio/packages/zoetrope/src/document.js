// A JSON text that can be asked where things are and edited by byte range: what is not edited stays as it was.
import { alive, outOfMemory, toBytes, ZoetropeError } from "./core.js";
import { core } from "./load.js";

function fromHex(/** @type {string} */ digits) {
    const bytes = new Uint8Array(digits.length / 2);
    for (let i = 0; i < bytes.length; i++) { bytes[i] = parseInt(digits.slice(2 * i, 2 * i + 2), 16); }
    return bytes;
}

export class TextDocument {
    #handle;

    /** After load(). Throws when the text is no JSON. @param {any} input */
    constructor(input) {
        this.core = core();
        const bytes = toBytes(input);
        const at = this.core.put(bytes);
        this.#handle = this.core.exports.zw_document_open(at, bytes.length) >>> 0;
        this.core.free(at);
        if (this.#handle === 0) {
            const status = this.core.status(this.core.exports.zw_document_status());
            throw new ZoetropeError("the text is no JSON; check() says where and why", { status });
        }
    }

    get #at() { return alive(this.#handle, "document"); }

    bytes() {
        const at = this.core.exports.zw_document_data(this.#at) >>> 0;
        return this.core.u8.slice(at, at + (this.core.exports.zw_document_size(this.#at) >>> 0));
    }

    text() { return new TextDecoder().decode(this.bytes()); }

    /** The place of the value at a JSON Pointer: {offset, length (bytes), line, column}; null: there is none. */
    find(/** @type {string} */ pointer) {
        const found = this.core.withTexts([pointer], (at) => this.core.exports.zw_document_find(this.#at, at));
        return found ? this.core.json() : null;
    }

    /** The JSON Pointer of the innermost value that holds a byte. */
    pointerAt(/** @type {number} */ offset) {
        if (!this.core.exports.zw_document_pointer_at(this.#at, offset)) { throw outOfMemory(); }
        return this.core.sink();
    }

    /**
     * Edits sorted by offset and apart from each other, all or none. Returns the edits that give the old bytes back.
     * @param {{offset: number, remove: number, insert: string | Uint8Array}[]} edits
     */
    apply(edits) {
        const held = [];
        try {
            const table = this.core.alloc(Math.max(16, edits.length * 16));
            held.push(table);
            edits.forEach((edit, i) => {
                const insert = toBytes(edit.insert);
                const at = this.core.put(insert);
                held.push(at);
                this.core.u32.set([edit.offset, edit.remove, at, insert.length], table / 4 + i * 4);
            });
            const status = this.core.exports.zw_document_apply(this.#at, table, edits.length);
            if (status !== 0) {
                throw new ZoetropeError("the edits do not fit, or the text would be no JSON", { status: this.core.status(status) });
            }
            return this.core.json().map((/** @type {any} */ e) => ({ ...e, insert: fromHex(e.insert) }));
        } finally {
            for (const at of held) { this.core.free(at); }
        }
    }

    free() {
        this.core.exports.zw_document_free(this.#handle);
        this.#handle = 0;
    }
}
