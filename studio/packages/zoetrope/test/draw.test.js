// Drawing by the module's rasteriser, in Node: the bytes are those of `zoetrope render`, of which the hashes are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compile, draw, Pictures, Player, Scene } from "../dist/index.js";
import { decode, enemy, example, hash } from "./files.js";

async function frame(name, ms, options = {}, view = {}, size = 300) {
    const program = await compile(example(name), options);
    const pictures = new Pictures(program);
    await pictures.load({ decode });
    assert.deepEqual(pictures.faults, []);
    const player = new Player(program);
    player.advance(ms);
    const target = draw(player, { width: size, height: size, data: new Uint8Array(size * size * 4) }, { pictures, view });
    player.free();
    pictures.free();
    program.free();
    return target.data;
}

test("the same bytes as the program's: flat, textures, bones, space", async () => {
    assert.equal(hash(await frame("charpack/vesper/runtime_manifest.json", 700)), "c8cadd1cb4ec5de3");
    assert.equal(hash(await frame("enemy/idle.json", 700, enemy())), "c450fd7a299bf416");
    assert.equal(hash(await frame("forge/afsm/chest.json", 0)), "e2ae8e1086a7139d");
});

test("views: a background lies under, nearest keeps texels, scale and centre place it", async () => {
    const plain = await frame("enemy/idle.json", 0, enemy());
    const red = await frame("enemy/idle.json", 0, enemy(), { background: "#ff0000" });
    assert.deepEqual([...red.subarray(0, 4)], [255, 0, 0, 255]);
    assert.deepEqual([...plain.subarray(0, 4)], [0, 0, 0, 0]);
    const moved = await frame("enemy/idle.json", 0, enemy(), { fit: "none", scale: 100, center: [0, 0] });
    assert.notEqual(hash(moved), hash(plain));
    await assert.rejects(frame("enemy/idle.json", 0, enemy(), { background: "red" }), TypeError);
    await assert.rejects(frame("enemy/idle.json", 0, enemy(), { fit: "some" }), RangeError);
    await assert.rejects(frame("enemy/idle.json", 0, enemy(), { scale: "2" }), TypeError);
    const turned = await frame("forge/afsm/chest.json", 0, {}, { camera: { yaw: 45, pitch: 10, zoom: 1, field: 60 } });
    assert.ok(turned.some((v) => v > 0));
});

test("pictures: what is missing is named, what is set is drawn, what cannot be is told", async () => {
    const program = await compile("builtin:jelly");
    const pictures = new Pictures(program);
    assert.deepEqual(pictures.missing, program.cels.map((c) => c.name));
    const size = 64;
    const data = new Uint8Array(size * size * 4).fill(255);
    assert.throws(() => pictures.set("nobody", { width: 1, height: 1, data }), RangeError);
    assert.throws(() => pictures.set("idle", { width: 100, height: 100, data }), RangeError);
    assert.throws(() => pictures.set("idle", { width: 0, height: 1, data }), RangeError);
    assert.throws(() => pictures.set("idle", { width: 1e6, height: 1e6, data }), RangeError);
    pictures.set("idle", { width: size, height: size, data });
    const player = new Player(program);
    player.show("idle");
    const target = { width: 32, height: 32, data: new Uint8Array(32 * 32 * 4) };
    draw(player, target, { pictures });
    assert.ok(target.data.some((v) => v === 255));
    assert.throws(() => pictures.set("idle", { width: 2.5, height: 2, data }), RangeError);
    assert.throws(() => draw(player, target), /wants \{ pictures \}/);
    assert.throws(() => draw(player, { width: 64, height: 64, data: new Uint8Array(10) }, { pictures }), RangeError);
    const enemyProgram = await compile(example("enemy/idle.json"), enemy());
    assert.throws(() => draw(new Player(enemyProgram), target, { pictures }), TypeError);
    const bad = new Pictures(enemyProgram);
    await bad.load({ decode: () => { throw new Error("no decoder today"); } });
    assert.ok(bad.faults.length > 0 && bad.faults.every((f) => f.message === "no decoder today"));
    draw(new Player(enemyProgram), target, { pictures: bad }); // nothing there, and no harm
});

test("textures are unpacked as they are drawn, within the budget", async () => {
    const program = await compile(example("charpack/vesper/runtime_manifest.json"));
    const budget = 4 * 300 * 340 * 4;
    const pictures = new Pictures(program, { memory: budget });
    await pictures.load();
    const player = new Player(program);
    const target = { width: 60, height: 66, data: new Uint8Array(60 * 66 * 4) };
    for (let i = 0; i < 40; i++) {
        player.advance(100);
        draw(player, target, { pictures });
        assert.ok(target.data.some((v) => v > 0));
        let held = 0;
        for (let k = 1; k <= pictures.count; k++) { if (pictures.entry(k).at !== 0) { held += pictures.entry(k).width * pictures.entry(k).height * 4; } }
        assert.ok(held > 0 && held <= budget, `${held} bytes are unpacked`);
    }
});

test("the first pictures are there at once, the rest follows, and something is shown all the while", async () => {
    const program = await compile(example("charpack/vesper/runtime_manifest.json"));
    const pictures = new Pictures(program);
    await pictures.load({ first: 1 });
    assert.ok(pictures.count < 40, `${pictures.count} are there`);
    const player = new Player(program);
    const target = { width: 60, height: 66, data: new Uint8Array(60 * 66 * 4) };
    for (const ms of [0, 3000]) {
        player.advance(ms);
        draw(player, target, { pictures });
        assert.ok(target.data.some((v) => v > 0));
    }
    await pictures.rest;
    assert.equal(pictures.count, program.cels.length);
    assert.deepEqual(pictures.faults, []);
});

test("a damaged texture is told, and what was shown before stands in", async () => {
    const program = await compile(example("charpack/vesper/runtime_manifest.json"));
    const pictures = new Pictures(program);
    let count = 0;
    const { readUrl } = await import("../dist/compile.js");
    await pictures.load({
        read: async (name) => {
            const bytes = await readUrl(new URL(name, program.base));
            if (++count > 1) { bytes[bytes.length - 40] ^= 0xff; } // in the packed level, whose checksum tells
            return bytes;
        },
    });
    const player = new Player(program);
    const target = { width: 60, height: 66, data: new Uint8Array(60 * 66 * 4) };
    for (let i = 0; i < 10; i++) {
        player.advance(150);
        draw(player, target, { pictures });
        assert.ok(target.data.some((v) => v > 0), "something is shown");
    }
    assert.ok(pictures.faults.length > 0);
});

test("a scene's list is there to be drawn by others", async () => {
    const program = await compile(example("forge/afsm/chest.json"));
    const pictures = new Pictures(program);
    await pictures.load({ decode });
    const scene = new Scene(program, pictures);
    scene.build(new Player(program), { width: 100, height: 100 });
    assert.equal(scene.vertices.length, scene.vertexCount * 8);
    assert.equal(scene.depths.length, scene.vertexCount * 2);
    assert.ok(scene.indices.every((i) => i < scene.vertexCount));
    assert.equal(scene.commands.reduce((sum, c) => sum + c.indexCount, 0), scene.indexCount);
    assert.ok(scene.commands.every((c) => c.image <= pictures.count));
    scene.free();
    assert.throws(() => scene.build(new Player(program), { width: 1, height: 1 }), /has been freed/);
});
