// What the tests in Node share: the examples by name, and pictures decoded.
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(new URL("../../../../tests/node/package.json", import.meta.url));
const { PNG } = require("pngjs");

const root = new URL("../../../../", import.meta.url);
export const example = (name) => new URL(`examples/${name}`, root);
export const at = (name) => new URL(name, root);
export const text = (name) => readFileSync(example(name), "utf8");
export const path = (url) => fileURLToPath(url);

export const decode = (bytes) => PNG.sync.read(Buffer.from(bytes));
export const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** The enemy of the examples is a set of clips around a rig. */
export const enemy = () => ({
    files: { "rig.json": text("enemy/rig.json"), "sprites.json": text("enemy/sprites.json") },
});

/** Praxi, with the animations that her configuration names. */
export const praxi = () => ({
    files: Object.fromEntries(["curtain-spin", "gentle-float", "peekaboo", "slam-land"]
        .map((name) => [`animations/${name}.json`, text(`petween/praxi/animations/${name}.json`)])),
});
