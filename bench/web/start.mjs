// node start.mjs: from an animation's URL to its first picture, by the npm package in Node, for each of the examples: what
// it takes once the module is there, in a process of its own each time. A line each: name, ms. Then the module: how long it
// takes to be there, and its size.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = new URL("../../", import.meta.url);
const index = new URL("studio/packages/zoetrope/dist/index.js", root);
const SIDE = 256, ROUNDS = 7;

const set = ["rig.json", "sprites.json"];
const examples = [
    ["builtin", "builtin:jelly", []],
    ["slam-land", "petween/slam-land.json", []],
    ["praxi", "petween/praxi/pet.json", ["curtain-spin", "gentle-float", "peekaboo", "slam-land"].map((n) => `animations/${n}.json`)],
    ["bogbell", "enemy/idle.json", set],
    ["vesper", "charpack/vesper/runtime_manifest.json", []],
    ["minimal", "character-pack-minimal/runtime_manifest.json", []],
    ["chest", "forge/afsm/chest.json", []],
    ["engine", "forge/engine/afsm/engine.json", []],
    ["owl", "forge/owl/assets/zoetrope/asms/block/owl.json", []],
];

if (process.argv[2] === "--one") {
    const { compile, draw, load, Pictures, Player } = await import(index);
    const { PNG } = createRequire(new URL("tests/node/package.json", root))("pngjs");
    const [name, beside] = [process.argv[3], JSON.parse(process.argv[4])];
    const before = performance.now();
    await load();
    const start = performance.now();
    const url = name.startsWith("builtin:") ? name : new URL(`examples/${name}`, root);
    const files = Object.fromEntries(beside.map((file) => [file, readFileSync(new URL(file, url))]));
    const program = await compile(url, { files });
    const pictures = new Pictures(program);
    let decoding = 0; // which is the host's business, and a browser's own
    await pictures.load({
        first: 16, // the others come while it plays
        decode: (bytes) => {
            const from = performance.now();
            const image = PNG.sync.read(Buffer.from(bytes));
            decoding += performance.now() - from;
            return image;
        },
    });
    const player = new Player(program);
    player.advance(0);
    draw(player, { width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE * 4) }, { pictures });
    console.log(`${performance.now() - start - decoding} ${start - before}`);
} else {
    const self = fileURLToPath(import.meta.url);
    const loads = [];
    for (const [label, name, beside] of examples) {
        for (let round = 0; round < ROUNDS; round++) {
            const out = execFileSync(process.execPath, [self, "--one", name, JSON.stringify(beside)], { encoding: "utf8" });
            const [ms, load] = out.trim().split(" ").map(Number);
            loads.push(load);
            console.log(`start_${label} ${ms.toPrecision(4)} ms`);
        }
    }
    for (const load of loads) { console.log(`load ${load.toPrecision(4)} ms`); }
    const module = readFileSync(new URL("zoetrope.wasm", index));
    console.log(`module_gzip ${gzipSync(module, { level: 9 }).length} bytes`);
}
