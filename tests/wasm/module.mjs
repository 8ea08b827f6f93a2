// The module of the npm package as it is shipped: nothing is asked of its host but to unpack textures, and it is small.
// `node module.mjs zoetrope.wasm`
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const SIZE_MAX = 400_000; // bytes, gzipped

const bytes = readFileSync(process.argv[2]);
const module = new WebAssembly.Module(bytes);
for (const wanted of WebAssembly.Module.imports(module)) {
    assert.deepEqual(wanted, { module: "zoetrope", name: "inflate", kind: "function" });
}
const names = WebAssembly.Module.exports(module).map(({ name }) => name);
for (const name of names) { assert.match(name, /^(memory|_initialize|zw_[a-z0-9_]+)$/); }
const packed = gzipSync(bytes, { level: 9 }).length;
assert.ok(packed < SIZE_MAX, `${packed} bytes gzipped, which is not below ${SIZE_MAX}`);
console.log(`${bytes.length} bytes, ${packed} gzipped, ${names.length} exports`);
