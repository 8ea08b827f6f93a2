// The package in Node: loading, checking and compiling, programs, players, documents. What is shipped is what is tested:
// dist/, which build.js makes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import * as zoetrope from "../dist/index.js";
import { at, enemy, example, path, praxi, text } from "./files.js";

const {
    builtin, builtins, check, checkSync, compile, compileSync, convert, formats, frames, load, Player, Program, rule, rules,
    schema, TextDocument, version, ZoetropeError,
} = zoetrope;

const dist = new URL("../dist/", import.meta.url);

/** Runs a module in a Node of its own, for the shared module is loaded once in each. */
function alone(source) {
    const whole = `import * as zoetrope from ${JSON.stringify(new URL("index.js", dist).href)};\n${source}`;
    return execFileSync(process.execPath, ["--input-type=module", "-e", whole], { encoding: "utf8" }).trim();
}

test("what needs the module says so before it is there", () => {
    assert.equal(alone("try { zoetrope.formats(); } catch (e) { console.log(e.name, e.status); }"), "ZoetropeError not-loaded");
});

test("load: a URL, bytes, a module, a promise of one; several at once are one", () => {
    const wasm = JSON.stringify(path(new URL("zoetrope.wasm", dist)));
    const say = "console.log(zoetrope.version());";
    assert.equal(alone(`await zoetrope.load(); ${say}`), "0.1.0");
    assert.equal(alone(`import fs from "node:fs"; await zoetrope.load(fs.readFileSync(${wasm})); ${say}`), "0.1.0");
    assert.equal(alone(`import fs from "node:fs"; await zoetrope.load(new WebAssembly.Module(fs.readFileSync(${wasm}))); ${say}`), "0.1.0");
    assert.equal(alone(`import fs from "node:fs"; await zoetrope.load(fs.promises.readFile(${wasm})); ${say}`), "0.1.0");
    assert.equal(alone(`import url from "node:url"; await zoetrope.load(url.pathToFileURL(${wasm}).href); ${say}`), "0.1.0");
    assert.equal(alone(`await Promise.all([zoetrope.load(), zoetrope.load(), zoetrope.compile("builtin:jelly")]); ${say}`), "0.1.0");
});

test("load: what is no module is said, and the next try counts", () => {
    const page = "Buffer.from('<!doctype html><title>none</title>')";
    const out = alone(`
        try { await zoetrope.load(${page}); } catch (e) { console.log(e.message); }
        try { await zoetrope.load(42); } catch (e) { console.log(e.name); }
        await zoetrope.load(); console.log(zoetrope.version());`);
    assert.deepEqual(out.split("\n"), [
        "the bytes given: this is no WebAssembly module; it looks like a web page: is the path right?", "TypeError", "0.1.0"]);
});

test("load: over HTTP, also where the server calls it something else", async () => {
    const bytes = readFileSync(new URL("zoetrope.wasm", dist));
    for (const type of ["application/wasm", "text/plain", ""]) {
        const server = createServer((request, response) => {
            if (type) { response.setHeader("content-type", type); }
            response.end(bytes);
        });
        await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
        const url = `http://127.0.0.1:${server.address().port}/zoetrope.wasm`;
        const source = `import * as zoetrope from ${JSON.stringify(new URL("index.js", dist).href)};
            await zoetrope.load(${JSON.stringify(url)}); console.log(zoetrope.version());`;
        const { spawn } = await import("node:child_process");
        const child = spawn(process.execPath, ["--input-type=module", "-e", source]);
        let out = "";
        child.stdout.on("data", (part) => { out += part; });
        await new Promise((resolve) => child.on("close", resolve));
        server.close();
        assert.equal(out.trim(), "0.1.0", type);
    }
});

test("check tells every fault at its place, with hint and fix, and throws for none of them", async () => {
    const broken = text("petween/slam-land.json").replace('"overshoot"', '"overshoo"').replace('"version": 1', '"version": 1, "extra": 2');
    const report = await check(broken, { name: "slam.json" });
    assert.equal(report.ok, false);
    assert.equal(report.status, "invalid");
    assert.equal(report.format, "petween");
    const fault = report.diagnostics.find((d) => d.id === "petween/easing");
    const lines = broken.split("\n");
    assert.ok(lines[fault.line - 1].slice(fault.column - 1).startsWith('"overshoo"') || lines[fault.line - 1].includes("overshoo"));
    assert.equal(Buffer.from(broken).subarray(fault.offset, fault.offset + fault.length).toString().includes("overshoo"), true);
    assert.match(fault.pointer, /^\/tracks\/\d+\/keyframes\/\d+\/easing$/);
    assert.match(fault.hint, /overshoot/);
    assert.match(report.text, /slam\.json:\d+:\d+: error\[petween\/easing\]/);
    // The fix, applied, is right.
    const document = new TextDocument(broken);
    document.apply(fault.fix.edits.map((e) => ({ offset: e.offset, remove: e.remove, insert: e.insert })));
    assert.equal((await check(document.bytes())).errors, 0);
    document.free();
    for (const nonsense of ["", "{", "[1, 2", "\u0000", new Uint8Array([0xff, 0xfe, 0x00]), {}, []]) {
        assert.equal((await check(nonsense)).ok, false);
    }
    await assert.rejects(check(42), TypeError);
    await assert.rejects(check(null), TypeError);
});

test("compile refuses with all diagnostics; its message is the first error with its place", async () => {
    await assert.rejects(compile('{"version": 1}', { format: "petween", name: "x.json" }), (fault) => {
        assert.ok(fault instanceof ZoetropeError);
        assert.ok(fault.diagnostics.length > 1);
        assert.equal(fault.report.ok, false);
        assert.match(fault.message, /^x\.json:1:\d+: .*\[petween\//);
        return true;
    });
    await assert.rejects(compile(example("nothing.json")), /is not there/);
    await assert.rejects(compile("{}", { profile: "orginal" }), /profile must be one of document, original/);
    await assert.rejects(compile("{}", { format: "no-such" }), ZoetropeError);
    await assert.rejects(compile("{}", { params: "speed" }), /array of texts/);
    await assert.rejects(compile(new URL("http://127.0.0.1:1/x.json")), (fault) => fault.status === "unreachable");
});

test("the examples compile by their URLs, and what they refer to is found", async () => {
    const list = [
        ["petween/slam-land.json", "petween", 2], ["petween/praxi/pet.json", "pet", null],
        ["petween/praxi-pack.json", "petween", null], ["enemy/hop.json", "enemy-animation", 1],
        ["charpack/vesper/runtime_manifest.json", "character-pack", null],
        ["character-pack-minimal/runtime_manifest.json", "character-pack", null],
        ["forge/afsm/chest.json", "forge-draft-machine", null], ["forge/engine/afsm/engine.json", "forge-draft-machine", null],
        ["forge/owl/assets/zoetrope/asms/block/owl.json", "forge-machine", null],
    ];
    for (const [name, format, clips] of list) {
        const program = await compile(example(name), name.includes("praxi/pet") ? praxi() : {});
        assert.equal(program.format, format, name);
        assert.equal(program.report.errors, 0);
        if (clips !== null) { assert.equal(program.clips.length, clips); }
        assert.match(program.hash, /^[0-9a-f]{16}$/);
        program.free();
    }
});

test("a reader is asked for names that lead down only, and what it says is taken", async () => {
    const asked = [];
    const read = async (name, kind) => {
        asked.push([name, kind]);
        return name === "models/chest.b3d" ? readFileSync(example("forge/models/chest.b3d")) : null;
    };
    const program = await compile(text("forge/afsm/chest.json"), { name: "chest.json", read });
    assert.equal(program.meshes.length, 1);
    assert.ok(asked.every(([name, kind]) => !name.includes("..") && ["bytes", "head", "stat"].includes(kind)));
    const evil = text("forge/afsm/chest.json").replaceAll("chest.b3d", "../../../../../etc/passwd.b3d");
    await assert.rejects(compile(evil, { name: "chest.json", base: example("forge/afsm/chest.json") }), ZoetropeError);
    const never = compile(text("forge/afsm/chest.json"), { name: "chest.json", read, signal: AbortSignal.abort() });
    await assert.rejects(never, { name: "AbortError" });
    const failing = compile(text("forge/afsm/chest.json"), { read: async () => { throw new Error("the disk is on fire"); } });
    await assert.rejects(failing, /the disk is on fire/);
});

test("the same without waiting, from files in memory", () => {
    const files = { "models/chest.b3d": readFileSync(example("forge/models/chest.b3d")) };
    const program = compileSync(text("forge/afsm/chest.json"), { name: "afsm/chest.json", files });
    assert.equal(program.meshes.length, 1);
    assert.equal(checkSync(text("forge/afsm/chest.json"), { name: "afsm/chest.json", files }).errors, 0);
    assert.throws(() => compileSync(text("forge/afsm/chest.json"), { name: "afsm/chest.json" }), /is not there/);
});

test("what the library tells of itself", () => {
    assert.equal(version(), "0.1.0");
    assert.ok(formats().some((f) => f.name === "enemy-animation" && f.title.length > 5));
    assert.ok(builtins().includes("builtin:jelly"));
    assert.equal(JSON.parse(builtin("builtin:jelly")).id, "builtin:jelly");
    assert.equal(builtin("builtin:nothing"), null);
    assert.equal(rule("petween/easing").severity, "error");
    assert.equal(rule("no/such"), null);
    assert.equal(rules().length > 100 && rules().every((r) => r.explain.length > 20), true);
    assert.equal(schema("petween").$schema, "https://json-schema.org/draft/2020-12/schema");
    assert.equal(schema("b3d"), null);
    assert.throws(() => rule("a\0b"), /zero byte/);
});

test("a program goes to bytes and back, and tells what is in it", async () => {
    const program = await compile("builtin:jelly");
    const again = await Program.load(program.blob());
    assert.equal(again.hash, program.hash);
    assert.deepEqual(again.clips, program.clips);
    assert.match(program.dump(), /jelly/);
    const bytes = program.blob();
    bytes[bytes.length >> 1] ^= 0xff;
    await assert.rejects(Program.load(bytes), (fault) => fault instanceof ZoetropeError && fault.status === "bad-blob");
    await assert.rejects(Program.load(new Uint8Array(0)), ZoetropeError);
    const clip = program.clip("builtin:jelly");
    assert.equal(clip.durationMs, 380);
    assert.deepEqual(clip.params, ["strength"]);
    assert.deepEqual(clip.channels, ["transition.scaleX", "transition.scaleY", "transition.y"]);
    assert.equal(clip.events[0].action, "show-cel");
    assert.throws(() => program.clip("none"), RangeError);
    assert.throws(() => new Program(), TypeError);
});

test("one clip at one time, with parameters", async () => {
    const program = await compile("builtin:jelly");
    const half = program.sample("builtin:jelly", 0.4, [1]), strong = program.sample(1, 0.4, [2]);
    assert.notEqual(half.value("transition.scaleY"), 1);
    assert.ok(Math.abs(strong.value("transition.scaleY") - 1) > Math.abs(half.value("transition.scaleY") - 1));
    assert.deepEqual([...program.sample(1, 0.4, [1]).values], [...half.values], "a pure function");
    assert.throws(() => program.sample(1, 0.4, [1, 2]), RangeError);
    const times = [0, 0.4, 0.1, 1, 2, -1], many = program.sampleMany(1, times, [2]);
    assert.equal(many.length, times.length * program.channels.length);
    assert.deepEqual([...many], times.flatMap((time) => [...program.sample(1, time, [2]).values]));
    assert.equal(program.sampleMany(1, []).length, 0);
    assert.throws(() => half.value("nothing"), RangeError);
    assert.equal(program.sample(1, NaN).values.every(Number.isFinite), true);
});

const scripts = {
    "petween/slam-land.json": (player) => { player.start(1); },
    "petween/praxi/pet.json": (player, step) => {
        if (step === 3) { player.status("success", { source: "a" }); }
        if (step === 6) { player.click(); }
    },
    "enemy/hop.json": (player, step) => { if (step === 5) { player.start(1); } },
    "charpack/vesper/runtime_manifest.json": (player, step) => {
        if (step === 2) { player.trigger("happy"); }
        if (step === 4) { player.speaking(true); player.mouth(0.5); }
    },
    "forge/engine/afsm/engine.json": (player, step) => { if (step === 2) { player.request("working"); player.set("speed", 0.7); } },
};

for (const [name, script] of Object.entries(scripts)) {
    test(`however time is cut, the same events and the same pose: ${name}`, async () => {
        const program = await compile(example(name), name.includes("praxi") ? praxi() : name.includes("enemy") ? enemy() : {});
        const play = (pieces, history) => {
            const player = new Player(program, { seed: 7, history });
            const events = [];
            for (let step = 0; step < 10; step++) {
                script(player, step);
                for (let i = 0; i < pieces; i++) { events.push(...player.advance(500 / pieces)); }
            }
            const end = { events, values: [...player.sample().values], transforms: [...player.sample().transforms], now: player.now };
            player.free();
            return end;
        };
        const whole = play(1, false);
        assert.equal(whole.now, 5000);
        assert.ok(whole.events.length > 0 && whole.events.every((e, i) => i === 0 || e.t >= whole.events[i - 1].t));
        assert.deepEqual(play(50, false), whole);
        assert.deepEqual(play(1, true), whole);
        assert.deepEqual(play(8, true), whole);
        program.free();
    });

    test(`seek goes anywhere, and what is asked twice is the same twice: ${name}`, async () => {
        const program = await compile(example(name), name.includes("praxi") ? praxi() : name.includes("enemy") ? enemy() : {});
        const player = new Player(program, { seed: 3 });
        for (let step = 0; step < 10; step++) {
            script(player, step);
            player.advance(500);
        }
        const seen = new Map();
        for (const ms of [5000, 0, 1234.5, 4999, 2500, 1234.5, 0, 5000, 2500]) {
            player.seek(ms);
            assert.equal(player.now, ms);
            const now = JSON.stringify([[...player.sample().transforms], player.state, player.runs]);
            if (seen.has(ms)) { assert.equal(now, seen.get(ms)); }
            seen.set(ms, now);
        }
        assert.ok(new Set(seen.values()).size > 1, "something moves");
    });

    test(`a snapshot is gone back to, with history and without: ${name}`, async () => {
        const program = await compile(example(name), name.includes("praxi") ? praxi() : name.includes("enemy") ? enemy() : {});
        for (const history of [false, true]) {
            const player = new Player(program, { seed: 5, history });
            script(player, 2);
            player.advance(700);
            const snapshot = player.snapshot();
            assert.equal(snapshot.now, 700);
            const later = () => [player.advance(1800), [...player.sample().transforms], player.state];
            const first = later();
            player.restore(snapshot);
            assert.equal(player.now, 700);
            assert.deepEqual(later(), first);
        }
    });
}

test("snapshots are of use to players of their kind alone, and nobody can make one up", async () => {
    const program = await compile("builtin:jelly"), other = await compile("builtin:jelly");
    const player = new Player(program);
    const snapshot = player.snapshot();
    assert.throws(() => new Player(other).restore(snapshot), ZoetropeError);
    assert.throws(() => new Player(program, { seed: 1 }).restore(snapshot), ZoetropeError);
    assert.throws(() => player.restore(new Uint8Array(100)), TypeError);
    assert.throws(() => player.restore({ ...snapshot }), TypeError);
});

test("a player goes on where one of another program stands", async () => {
    const before = await compile(example("petween/slam-land.json"));
    const after = await compile(text("petween/slam-land.json").replace(/"name": "[^"]*"/, '"name": "Later"'));
    const old = new Player(before);
    old.start(1);
    old.advance(120);
    const next = new Player(after);
    assert.deepEqual(next.adopt(old), []);
    assert.equal(next.now, 120);
    assert.equal(next.runs[0].localMs, old.runs[0].localMs);
    const none = new Player(await compile("builtin:soft"));
    assert.ok(none.adopt(old).some((g) => g.kind === "run"));
    assert.throws(() => { next.advance(1); next.adopt(old); }, ZoetropeError);
    const fresh = new Player(before);
    assert.throws(() => fresh.adopt(fresh), TypeError);
    assert.throws(() => fresh.adopt({}), TypeError);
});

test("parameters, lines and slopes", async () => {
    const program = await compile(example("forge/engine/afsm/engine.json"));
    const player = new Player(program);
    player.set("speed", 2);
    assert.equal(player.get("speed"), 2);
    player.advance(1000);
    player.set("speed", { add: 1, mul: 3 });
    assert.equal(player.get("speed"), 4);
    player.ramp("speed", 0);
    player.advance(1000);
    assert.equal(player.get("speed"), 4);
    assert.throws(() => player.set("spead", 1), RangeError);
    assert.throws(() => player.set("speed", NaN), TypeError);
    assert.throws(() => player.set("speed", "fast"), TypeError);
});

test("wrong calls are refused, and freed objects say so", async () => {
    const program = await compile("builtin:jelly");
    const player = new Player(program, { history: false });
    for (const wrong of [-1, NaN, Infinity, "1", undefined]) { assert.throws(() => player.advance(wrong)); }
    player.advance(100);
    assert.throws(() => player.seek(50), /history: false/);
    assert.throws(() => player.start("none"), RangeError);
    assert.throws(() => player.start(1, { params: { strenght: 1 } }), RangeError);
    assert.throws(() => player.flash("none", 10), RangeError);
    assert.equal(player.request("nowhere"), false);
    assert.equal(player.trigger("nothing"), false);
    assert.equal(player.cancel(99), false);
    assert.throws(() => new Player(program, { particleCapacity: -1 }), RangeError);
    assert.throws(() => new Player(program, { seed: 1.5 }), RangeError);
    program.free();
    player.advance(10); // a program stays until its last player goes
    player.free();
    assert.throws(() => player.advance(1), /has been freed/);
    assert.throws(() => new Player(program), /has been freed/);
    player.free();
    program.free();
});

test("memory that grows makes no view stale, and what is freed is used again", async () => {
    const program = await compile(example("enemy/hop.json"), enemy());
    const core = program.core;
    const first = new Player(program);
    const pose = first.sample();
    const kept = [...pose.values];
    const before = core.memory.buffer.byteLength;
    const many = Array.from({ length: 60 }, () => new Player(program));
    assert.ok(core.memory.buffer.byteLength > before);
    assert.deepEqual([...pose.values], kept, "a pose is a copy");
    for (const one of many) { one.advance(100); one.free(); }
    const grown = core.memory.buffer.byteLength;
    for (let round = 0; round < 5; round++) {
        for (const one of Array.from({ length: 60 }, () => new Player(program))) { one.free(); }
    }
    assert.equal(core.memory.buffer.byteLength, grown);
    assert.deepEqual([...first.sample().values], kept);
});

test("no event is lost, however many there are", async () => {
    const program = await compile(example("petween/slam-land.json"));
    const player = new Player(program, { history: false });
    for (let i = 0; i < 1000; i++) { player.start(1, { durationMs: 60 }); player.cancel(0); }
    const told = player.advance(5000);
    const starts = told.filter((e) => e.kind === "run-start").length, ends = told.filter((e) => e.kind === "run-end").length;
    assert.ok(starts > 0);
    assert.equal(starts, ends, "starts and ends come in pairs");
});

test("merged keyframe lists, and documents in other forms", async () => {
    const list = await frames("builtin:jelly", { strength: 0.5 });
    assert.equal(list.schema, "zoetrope/frames@1");
    assert.equal(list.definitionId, "builtin:jelly");
    assert.ok(list.segments.length >= 2);
    await assert.rejects(frames(example("enemy/hop.json")), ZoetropeError);
    const source = await convert(example("forge/models/chest.b3d"), "b3d-source");
    const bytes = await convert(source, "b3d");
    assert.deepEqual(Buffer.from(bytes), readFileSync(example("forge/models/chest.b3d")));
    await assert.rejects(convert("{}", "b3d"), ZoetropeError);
});

test("a document is edited by bytes, and the inverse gives the old bytes back", () => {
    const original = text("petween/slam-land.json");
    const document = new TextDocument(original);
    const place = document.find("/durationMs");
    assert.equal(original.slice(place.offset, place.offset + place.length), String(JSON.parse(original).durationMs));
    assert.equal(document.pointerAt(place.offset), "/durationMs");
    assert.equal(document.find("/nothing"), null);
    assert.equal(document.pointerAt(0), "");
    assert.equal(document.pointerAt(1e20), "");
    const inverse = document.apply([{ offset: place.offset, remove: place.length, insert: "777" }]);
    assert.equal(JSON.parse(document.text()).durationMs, 777);
    assert.throws(() => document.apply([{ offset: 0, remove: 1, insert: "x" }]), ZoetropeError);
    assert.equal(JSON.parse(document.text()).durationMs, 777);
    document.apply(inverse);
    assert.equal(document.text(), original);
    document.free();
    assert.throws(() => document.text(), /has been freed/);
    assert.throws(() => new TextDocument("{"), ZoetropeError);
});

test("what every diagnostic's own file is told is what the program tells", async () => {
    const { readdirSync, statSync } = await import("node:fs");
    const folder = path(at("tests/diag"));
    const names = readdirSync(folder, { recursive: true }).map(String).filter((n) => n.endsWith(".json") && n.split("/").length === 2);
    let told = 0;
    for (const name of names) {
        if (!statSync(`${folder}/${name}`).isFile()) { continue; }
        const report = await check(readFileSync(`${folder}/${name}`), { name: name.split("/").pop(), strict: true });
        assert.equal(report.diagnostics.length + report.dropped >= report.errors, true);
        told += report.diagnostics.length;
    }
    assert.ok(told > 100, `${told} diagnostics of ${names.length} files`);
});
