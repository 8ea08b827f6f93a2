// Runs a program of the tests that was built to WebAssembly, in Node: `node run.mjs PROGRAM.wasm [argument...]`, from the
// root of the source tree, whose folders it sees read-only. Its exit code is the program's. Node's own WASI is not used:
// it is experimental, and crashes now and then when memory is collected.
import { readdirSync, readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { inflateSync } from "node:zlib";

const require = createRequire(new URL("../node/package.json", import.meta.url));
const { ConsoleStdout, Directory, File, OpenFile, PreopenDirectory, WASI, WASIProcExit } =
    await import(require.resolve("@bjorn3/browser_wasi_shim"));
const { decompress } = require("fzstd");
const { PNG } = require("pngjs");

// What the programs are told to look at; all of it is in memory for the shim knows no other files.
const seen = ["tests/vectors", "tests/cases", "tests/diag", "tests/golden", "tests/clips", "examples"];

function folder(path) {
    const entries = new Map();
    for (const entry of readdirSync(path, { withFileTypes: true })) {
        const at = join(path, entry.name);
        if (entry.isDirectory()) { entries.set(entry.name, folder(at)); }
        if (entry.isFile()) { entries.set(entry.name, new File(readFileSync(at), { readonly: true })); }
    }
    return new Directory(entries);
}

function tree() {
    const root = new Map();
    for (const path of seen) {
        let at = root;
        const parts = path.split("/");
        for (const part of parts.slice(0, -1)) {
            if (!at.has(part)) { at.set(part, new Directory(new Map())); }
            at = at.get(part).contents;
        }
        at.set(parts.at(-1), folder(path));
    }
    return root;
}

// A pipe may be full for a moment.
function writeAll(fd, bytes) {
    for (let at = 0; at < bytes.length;) {
        try {
            at += writeSync(fd, bytes, at);
        } catch (fault) {
            if (fault.code !== "EAGAIN") { throw fault; }
        }
    }
}

// One stream, with nothing behind it.
function inflateWhole(packed) {
    const { buffer, engine } = inflateSync(packed, { info: true });
    if (engine.bytesWritten !== packed.length) { throw new RangeError("bytes behind the stream"); }
    return buffer;
}

let memory;
const bytesAt = (at, size) => new Uint8Array(memory.buffer, at >>> 0, size >>> 0);

const zoetrope = {
    inflate(scheme, from, fromSize, to, toSize) {
        try {
            const packed = bytesAt(from, fromSize);
            const unpacked = scheme === 2 ? decompress(packed) : inflateWhole(packed);
            if (unpacked.length !== toSize >>> 0) { return 0; }
            bytesAt(to, toSize).set(unpacked);
            return 1;
        } catch {
            return 0;
        }
    },
    png_open(from, size, sides) {
        try {
            const { width, height } = PNG.sync.read(Buffer.from(bytesAt(from, size)));
            new Uint32Array(memory.buffer, sides >>> 0, 2).set([width, height]);
            return 1;
        } catch {
            return 0;
        }
    },
    png_read(from, size, pixels) {
        const { data } = PNG.sync.read(Buffer.from(bytesAt(from, size)));
        bytesAt(pixels, data.length).set(data);
        return 1;
    },
};

const [program, ...args] = process.argv.slice(2);
const output = (fd) => new ConsoleStdout((bytes) => writeAll(fd, bytes));
const wasi = new WASI([program, ...args], ["TERM=dumb"],
    [new OpenFile(new File([])), output(1), output(2), new PreopenDirectory(".", tree())], { debug: false });
const module = await WebAssembly.compile(readFileSync(resolve(program)));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport, zoetrope });
memory = instance.exports.memory;
try {
    process.exitCode = wasi.start(instance);
} catch (fault) {
    if (!(fault instanceof WASIProcExit)) { throw fault; }
    process.exitCode = fault.code;
}
