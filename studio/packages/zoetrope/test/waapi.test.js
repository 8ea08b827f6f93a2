// Web Animations of merged keyframe lists, as far as no browser is needed: which lists and timings come out, what is
// refused, and the same for every case that petween's compiler is tested with.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { frames, framesSync, load } from "../dist/index.js";
import { animations, keyframes, LAYERS, playInto } from "../dist/dom.js";

const ROOT = new URL("../../../../", import.meta.url);
const example = (name) => readFile(new URL(`examples/petween/${name}.json`, ROOT), "utf8");

before(() => load());

const list = (...values) => values.map((value, i) => ({
    offset: i / (values.length - 1), easing: "linear", rotate: `${value}deg`,
}));
const made = (change = {}) => ({
    schema: "zoetrope/frames@1", definitionId: "user:nod", durationMs: 200, repeat: { mode: "once" },
    segments: [
        { start: 0, end: 0.25, durationMs: 50, layers: { sway: list(0, 10) } },
        { start: 0.25, end: 1, durationMs: 150, layers: { sway: list(10, 20, 0) } },
    ],
    events: [{ at: 0.25, type: "pose-swap", pose: "idle", beforeSegmentIndex: 1 },
        { at: 1, type: "particle", effect: "sparkle", beforeSegmentIndex: 2 }],
    reducedMotion: false, ...change,
});

test("segments hold their lists, timings and the events before them", () => {
    const plan = animations(made());
    assert.deepEqual(plan.layers, ["sway"]);
    assert.equal(plan.endless, false);
    assert.deepEqual(plan.segments.map(({ startMs, endMs, durationMs }) => [startMs, endMs, durationMs]),
        [[0, 50, 50], [50, 200, 150]]);
    assert.deepEqual(plan.segments.map((segment) => segment.events.map((event) => event.type)), [[], ["pose-swap"]]);
    assert.deepEqual(plan.lastEvents.map((event) => event.effect), ["sparkle"]);
    const timings = plan.segments.map((segment) => segment.animations[0].timing);
    assert.deepEqual(timings.map((timing) => [timing.duration, timing.iterations, timing.direction, timing.fill]),
        [[50, 1, "normal", "forwards"], [150, 1, "normal", "none"]]);
    assert.deepEqual(animations(JSON.stringify(made())), plan); // a text is as good
});

test("one list for a whole pass meets itself at the cuts", () => {
    const { keyframes: whole, timing } = keyframes(made(), "sway");
    assert.deepEqual(whole.map((frame) => [frame.offset, frame.rotate]),
        [[0, "0deg"], [0.25, "10deg"], [0.625, "20deg"], [1, "0deg"]]);
    assert.deepEqual([timing.duration, timing.iterations, timing.fill], [200, 1, "none"]);
    assert.equal(keyframes(made(), "bounce"), null);
});

test("what repeats without events runs without end, by direction", async () => {
    const float = await frames(await example("gentle-float"));
    const plan = animations(float);
    assert.equal(plan.endless, true);
    assert.deepEqual(plan.layers, ["sway", "bounce", "breathe"]);
    for (const { timing } of plan.segments[0].animations) {
        assert.deepEqual([timing.iterations, timing.direction], [Infinity, "alternate"]);
    }
    assert.equal(keyframes(float, "breathe").timing.iterations, Infinity);
    const loop = animations(framesSync("builtin:click-pop", { repeat: "loop" })).segments[0].animations[0].timing;
    assert.deepEqual([loop.iterations, loop.direction], [Infinity, "normal"]);
    const events = animations(framesSync(await example("peekaboo"), { repeat: "loop" }));
    assert.equal(events.endless, false); // its events are to come in each pass
    assert.ok(events.segments.every((segment) => segment.animations.every(({ timing }) => timing.iterations === 1)));
});

test("every case of the compiler comes out whole", async () => {
    const cases = JSON.parse(await readFile(new URL("tests/vectors/petween/compile.json", ROOT), "utf8"));
    let lists = 0;
    for (const { name, compiled } of cases) {
        if (!compiled) { continue; }
        const plan = animations({ schema: "zoetrope/frames@1", ...compiled });
        const total = plan.segments.reduce((sum, segment) => sum + segment.durationMs, 0);
        assert.ok(Math.abs(total - compiled.durationMs) < 1e-9 * compiled.durationMs, name);
        plan.segments.forEach((segment, i) => {
            assert.deepEqual(segment.animations.map(({ layer }) => layer),
                LAYERS.filter((layer) => compiled.segments[i].layers[layer]), name);
            for (const { layer, keyframes: frameList } of segment.animations) {
                assert.deepEqual(frameList, compiled.segments[i].layers[layer], name); // nothing lost, nothing rounded
                lists++;
            }
        });
        const events = [...plan.segments.flatMap((segment) => segment.events), ...plan.lastEvents];
        assert.deepEqual(events, compiled.events, name);
    }
    assert.ok(lists > 100, `only ${lists} lists`);
});

test("what is no such document is refused, and it is said where", async () => {
    const segments = made().segments;
    const refusals = [
        [null, /schema/], ["{}", /schema/], [[], /several/], [made({ segments: [] }), /segments/],
        [made({ durationMs: 0 }), /durationMs/], [made({ durationMs: "200" }), /durationMs/],
        [made({ repeat: { mode: "often" } }), /repeat\.mode.*once/],
        [made({ repeat: { mode: "random-interval", minDelayMs: 9, maxDelayMs: 1 } }), /maxDelayMs/],
        [made({ repeat: { mode: "alternate" } }), /alternates/],
        [made({ events: [{ at: 0, beforeSegmentIndex: 3 }] }), /events\[0\]\.beforeSegmentIndex/],
        [made({ events: [{ at: 2, beforeSegmentIndex: 0 }] }), /events\[0\]\.at/],
        [made({ segments: [segments[0], { ...segments[1], start: NaN }] }), /segments\[1\]\.start/],
        [made({ segments: [{ ...segments[0], layers: { nose: list(0, 1) } }] }), /segments\[0\]\.layers.*"nose"/],
        [made({ segments: [{ ...segments[0], layers: { sway: list(0, 1).slice(1) } }] }), /s\[0\]\.layers\.sway/],
        [made({ segments: [{ ...segments[0], layers: { sway: list(0, 1).reverse() } }] }), /sway\[1\]\.offset/],
    ];
    for (const [frameList, words] of refusals) {
        assert.throws(() => animations(frameList), { name: "TypeError", message: words });
    }
    const float = await frames(await example("gentle-float"));
    const element = { animate() {} };
    assert.throws(() => playInto(element, float), /an element for each/);
    assert.throws(() => playInto({ sway: element, bounce: element }, float), /elements\.breathe/);
});
