// Levels of textures unpacked: Zstandard by fzstd, ZLIB by fflate, with what those leave out: how large an untrusted
// stream may become, its checksums, and that nothing stands behind it. Called by load.js; bundled with both when built.
import { unzlibSync } from "fflate";
import { Decompress, decompress } from "fzstd";

const ZSTD = 2, ZLIB = 3;
const WINDOW_MAX = 128 * 1024 * 1024; // bytes that the unpacker sets aside for a frame, as zstd's own limit
const MAGIC = 0xfd2fb528;

/**
 * What a level holds; null: it is damaged, or does not become exactly so many bytes. `checks`: parts of it and the lower
 * half of the XXH64 that each must have.
 * @param {number} scheme @param {Uint8Array} from @param {number} toSize
 * @returns {{bytes: Uint8Array, checks: {at: number, size: number, sum: number}[]} | null}
 */
export function inflate(scheme, from, toSize) {
    try {
        if (scheme === ZSTD) { return unpackFrames(from, toSize); }
        if (scheme === ZLIB) { return unpackZlib(from, toSize); }
    } catch {
        // what they throw says less than that it is damaged
    }
    return null;
}

function adler32(/** @type {Uint8Array} */ bytes) {
    let a = 1, b = 0;
    for (let at = 0; at < bytes.length;) {
        const end = Math.min(at + 3800, bytes.length); // so many before b could pass 2^32
        for (; at < end; at++) {
            a += bytes[at];
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    return ((b << 16) | a) >>> 0;
}

// The checksum ends the stream, so where anything stands behind it, the last four bytes are not it.
function unpackZlib(/** @type {Uint8Array} */ from, /** @type {number} */ toSize) {
    if (from.length < 6) { return null; }
    const bytes = unzlibSync(from, { out: new Uint8Array(toSize) });
    const sum = new DataView(from.buffer, from.byteOffset + from.length - 4, 4).getUint32(0);
    return bytes.length === toSize && adler32(bytes) === sum ? { bytes, checks: [] } : null;
}

/** @param {Uint8Array} from @param {number} toSize */
function unpackFrames(from, toSize) {
    const bytes = new Uint8Array(toSize);
    const view = new DataView(from.buffer, from.byteOffset, from.length);
    const checks = [];
    let at = 0, filled = 0;
    while (at < from.length) {
        const magic = view.getUint32(at, true);
        if (magic >>> 4 === 0x0184d2a5) { // a frame to be skipped
            at += 8 + view.getUint32(at + 4, true);
            if (at > from.length) { return null; }
            continue;
        }
        const frame = magic === MAGIC ? frameAt(view, at) : null;
        if (!frame || frame.end > from.length || frame.content > toSize - filled) { return null; }
        const start = filled;
        if (frame.hasSum && frame.content >= 0) {
            // In one go, which does not tell how much came out: the checksum does.
            decompress(from.subarray(at, frame.end), bytes.subarray(filled, filled + frame.content));
            filled += frame.content;
        } else {
            filled = unpackParts(from.slice(at, frame.end), bytes, filled);
            if (filled < 0 || (frame.content >= 0 && filled - start !== frame.content)) { return null; }
        }
        if (frame.hasSum) { checks.push({ at: start, size: filled - start, sum: view.getUint32(frame.end - 4, true) }); }
        at = frame.end;
    }
    return filled === toSize ? { bytes, checks } : null;
}

// Part by part; returns up to where it has filled them, below 0 when they are too few.
function unpackParts(/** @type {Uint8Array} */ frame, /** @type {Uint8Array} */ bytes, /** @type {number} */ filled) {
    let fits = true;
    const stream = new Decompress((/** @type {Uint8Array} */ part) => {
        fits &&= part.length <= bytes.length - filled;
        if (fits) {
            bytes.set(part, filled);
            filled += part.length;
        }
    });
    stream.push(frame, true);
    return fits ? filled : -1;
}

/**
 * Where a frame ends and what its header says. Source: RFC 8878, section 3.1.1.
 * @param {DataView} view @param {number} start
 */
function frameAt(view, start) {
    let at = start + 4;
    const descriptor = view.getUint8(at++);
    const single = (descriptor & 32) !== 0, hasSum = (descriptor & 4) !== 0;
    let window = 0;
    if (!single) {
        const byte = view.getUint8(at++);
        const base = 2 ** (10 + (byte >> 3));
        window = base + (base / 8) * (byte & 7);
    }
    at += [0, 1, 2, 4][descriptor & 3];
    const size = [single ? 1 : 0, 2, 4, 8][descriptor >> 6];
    let content = -1;
    if (size === 1) { content = view.getUint8(at); }
    if (size === 2) { content = view.getUint16(at, true) + 256; }
    if (size === 4) { content = view.getUint32(at, true); }
    if (size === 8) { content = Number(view.getBigUint64(at, true)); }
    at += size;
    if (single) { window = content; }
    if (window > WINDOW_MAX) { return null; }
    for (;;) {
        const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
        at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3);
        if ((header & 1) === 1) { break; }
    }
    return { end: at + (hasSum ? 4 : 0), content, hasSum };
}
