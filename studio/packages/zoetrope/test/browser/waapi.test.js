// Web Animations of merged keyframe lists: their timing as the browser has it, what they show against our own pose at
// sixty times a clip, and the player that runs them. Run with node --test.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serve } from "./serve.js";
import { withBrowser } from "./browser.js";

const shared = withBrowser();
let server = null;
before(async () => {
    server = await serve({ pages: { "/test/waapi": "<!doctype html><title>waapi</title><link rel=icon href='data:,'>" } });
});
after(() => server?.close());

const DIST = "/studio/packages/zoetrope/dist";

async function open(t, options) {
    const page = await shared.open(t, `${server.url}/test/waapi`, options);
    await page.evaluate(prepare, DIST);
    return page;
}

/* global zoetrope, document, getComputedStyle, DOMMatrix, requestAnimationFrame -- what follows runs in the page */

async function prepare(dist) {
    const core = await import(`${dist}/index.js`), dom = await import(`${dist}/dom.js`);
    await core.load();
    const text = async (name) => (await fetch(`/examples/petween/${name}.json`)).text();
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const frames = async (ms) => { for (const end = document.timeline.currentTime + ms; document.timeline.currentTime < end;) {
        await frame();
    } };
    globalThis.zoetrope = { ...core, ...dom, text, frame, frames, layers: () => dom.createLayers(document.body) };
}

// A definition with everything that may cut it.
const hop = {
    version: 1, id: "user:hop", name: "Hop", kind: "interaction", durationMs: 200, repeat: { mode: "once" },
    tracks: [
        { property: "transition.y", keyframes: [{ at: 0, value: 0, easing: "ease-in" }, { at: 1, value: 40 }] },
        { property: "sway.rotation", keyframes: [{ at: 0, value: 0 }, { at: 1, value: 20 }] },
    ],
    events: [
        { at: 0, type: "particle", effect: "sparkle" }, { at: 0.5, type: "pose-swap", pose: "success" },
        { at: 0.5, type: "particle", effect: "confetti" }, { at: 1, type: "pose-swap", pose: "idle" },
    ],
};

test("what has no events and repeats is one animation a layer, without end", async (t) => {
    const page = await open(t);
    const found = await page.evaluate(async () => {
        const { animations, framesSync, layers, playInto, text } = zoetrope;
        const elements = layers();
        const told = {};
        for (const [name, input, options] of [
            ["alternate", await text("gentle-float")], ["loop", "builtin:sway"],
            ["repeated", "builtin:click-spin", { repeat: "loop", durationMs: 500 }],
            ["once", "builtin:click-pop"], ["waits", "builtin:bounce"],
        ]) {
            const plan = animations(framesSync(input, options));
            const playback = playInto(elements, framesSync(input, options), { random: () => 0 });
            const running = playback.animations;
            told[name] = {
                endless: plan.endless, segments: plan.segments.length, waiting: playback.waiting,
                layers: running.map((animation) => animation.effect.target.dataset.layer),
                timings: running.map((animation) => {
                    const { duration, iterations, direction, easing, fill, delay } = animation.effect.getTiming();
                    return [duration, iterations, direction, easing, fill, delay].join(" ");
                }),
                together: new Set(running.map((animation) => animation.startTime)).size,
                all: document.getAnimations().length,
            };
            playback.cancel();
            told[name].left = document.getAnimations().length;
        }
        return told;
    });
    const float = "1700 Infinity alternate linear none 0";
    assert.deepEqual(found, {
        alternate: { endless: true, segments: 1, waiting: false, layers: ["sway", "bounce", "breathe"],
            timings: [float, float, float], together: 1, all: 3, left: 0 },
        loop: { endless: true, segments: 1, waiting: false, layers: ["sway"],
            timings: ["3600 Infinity normal linear none 0"], together: 1, all: 1, left: 0 },
        repeated: { endless: true, segments: 1, waiting: false, layers: ["transition"],
            timings: ["500 Infinity normal linear none 0"], together: 1, all: 1, left: 0 },
        once: { endless: false, segments: 1, waiting: false, layers: ["transition"],
            timings: ["140 1 normal linear none 0"], together: 1, all: 1, left: 0 },
        waits: { endless: false, segments: 1, waiting: true, layers: [], timings: [], together: 0, all: 0, left: 0 },
    });
});

// The corners of the square, through all layers, and the turn and opacity of each layer. px and degrees.
async function compare([input, settings, dist]) {
    const { animations, compileSync, framesSync, layers } = zoetrope;
    const source = input.startsWith("builtin:") ? input : await zoetrope.text(input);
    const { strength, durationMs, repeat, reducedMotion, backward } = settings;
    const lists = framesSync(source, { profile: "original", strength, durationMs, repeat, reducedMotion });
    const plan = animations(lists);
    const program = compileSync(source, { profile: "original", name: `${dist}.json` });
    const clip = reducedMotion ? program.clips[1] : program.clips[0];
    const elements = layers();
    const running = plan.segments.map((segment) => segment.animations.map(({ layer, keyframes, timing }) => {
        const animation = elements[layer].animate(keyframes, timing);
        animation.pause();
        return animation;
    }));
    const bends = program.targets.findIndex((target) => target.name === "transition");
    const worst = { px: 0, degrees: 0, opacity: 0, compared: 0 };
    const note = (kind, a, b) => { worst[kind] = Math.max(worst[kind], Math.abs(a - b)); };
    const COUNT = 60;
    const corners = [[0, 0], [160, 0], [160, 160], [0, 160]];
    for (let i = 0; i < COUNT; i++) {
        const at = i / COUNT, ms = at * plan.durationMs;
        const pose = program.sample(clip.id, backward ? 1 - at : at, strength === undefined ? undefined : [strength]);
        let index = 0;
        plan.segments.forEach((segment, s) => { if (segment.startMs <= ms) { index = s; } });
        running.forEach((list, s) => list.forEach((animation) => {
            animation.cancel();
            if (s === index) {
                animation.pause();
                animation.currentTime = ms - plan.segments[s].startMs + (backward ? plan.durationMs : 0);
            }
        }));
        // As CSS nests them: each about the foot of the square.
        let whole = new DOMMatrix();
        let opacity = 1;
        for (const layer of ["sway", "bounce", "breathe", "transition"]) {
            const style = getComputedStyle(elements[layer]);
            const [x, y] = style.translate === "none" ? [0, 0] : style.translate.split(" ").map(parseFloat);
            const [sx, sy] = style.scale === "none" ? [1, 1] : style.scale.split(" ").map(Number);
            const turn = style.rotate === "none" ? 0 : parseFloat(style.rotate);
            opacity *= Number(style.opacity);
            whole = whole.multiply(new DOMMatrix().translate(80, 144).translate(x, y ?? 0).rotate(turn)
                .scale(sx, sy ?? sx).translate(-80, -144));
            for (const name of plan.layers.includes(layer) && layer !== "bounce" && layer !== "breathe" ? ["rotation"] : []) {
                note("degrees", turn, pose.value(`${layer}.${name}`));
            }
        }
        const m = pose.transform(bends);
        for (const [x, y] of corners) {
            const seen = whole.transformPoint({ x, y });
            note("px", seen.x, m[0] * x + m[1] * y + m[3]);
            note("px", seen.y, m[4] * x + m[5] * y + m[7]);
        }
        note("opacity", opacity, Math.min(1, Math.max(0, pose.opacity(bends))));
        worst.compared++;
    }
    Object.values(elements)[0].remove();
    program.free();
    return worst;
}

test("what the browser shows is our own pose, at sixty times a clip", async (t) => {
    const page = await open(t);
    const builtins = await page.evaluate(() => zoetrope.builtins());
    const inputs = [...builtins, "slam-land", "curtain-spin", "gentle-float", "peekaboo"];
    assert.ok(inputs.length >= 20);
    const settings = [{}, { strength: 0.4 }, { strength: 1.5 }, { strength: 0, durationMs: 777 }, { reducedMotion: true }];
    const worst = { px: 0, degrees: 0, opacity: 0 };
    let compared = 0;
    const hold = async (input, setting) => {
        const found = await page.evaluate(compare, [input, setting, "compared"]);
        const what = `${input} ${JSON.stringify(setting)} ${JSON.stringify(found)}`;
        assert.ok(found.px <= 0.01, what);
        assert.ok(found.degrees <= 0.01, what);
        assert.ok(found.opacity <= 1e-4, what);
        for (const kind of Object.keys(worst)) { worst[kind] = Math.max(worst[kind], found[kind]); }
        compared += found.compared;
    };
    for (const input of inputs) {
        for (const setting of settings) { await hold(input, setting); }
    }
    for (const input of ["gentle-float", "builtin:sway", "builtin:click-wiggle"]) { // the way back of an alternate
        await hold(input, { repeat: "alternate", backward: true });
    }
    assert.equal(compared, (inputs.length * settings.length + 3) * 60);
    t.diagnostic(`worst of ${compared} poses: ${JSON.stringify(worst)}`);
});

test("the comparison would see the difference that the merged list makes", async (t) => {
    const page = await open(t);
    // slam-land's swap cuts an eased stretch, where `document` plays on and `original` begins the curve anew.
    const difference = await page.evaluate(async () => {
        const { compileSync, text } = zoetrope;
        const source = await text("slam-land");
        const [a, b] = ["document", "original"].map((profile) => compileSync(source, { profile, name: "slam.json" }));
        let most = 0;
        for (let i = 0; i < 60; i++) {
            const of = (program) => program.sample("user:slam-land", i / 60).value("transition.y");
            most = Math.max(most, Math.abs(of(a) - of(b)));
        }
        a.free();
        b.free();
        return most;
    });
    assert.ok(difference > 0.1, `only ${difference} px`);
});

test("segments follow each other at their exact times, with the events between them", async (t) => {
    const page = await open(t);
    const found = await page.evaluate(async (definition) => {
        const { framesSync, frame, layers, playInto } = zoetrope;
        const elements = layers();
        const told = [];
        const playback = playInto(elements, framesSync({ ...definition, durationMs: 1000 }), {
            onevent(event, by) { told.push([event.effect ?? event.pose, by.localMs, by.state]); },
        });
        const atOnce = told.length;
        const starts = [playback.animations.map((animation) => animation.startTime)];
        while (told.length < 3) { await frame(); }
        starts.push(playback.animations.map((animation) => animation.startTime));
        const shown = getComputedStyle(elements.sway).rotate;
        const how = await playback.finished;
        return { atOnce, told, starts, how, shown, state: playback.state, left: document.getAnimations().length,
            rest: getComputedStyle(elements.sway).rotate };
    }, hop);
    assert.equal(found.atOnce, 1); // what is due at 0 comes inside the call
    assert.deepEqual(found.told.map(([what]) => what), ["sparkle", "success", "confetti", "idle"]);
    [0, 500, 500, 1000].forEach((ms, i) => assert.ok(Math.abs(found.told[i][1] - ms) < 1e-6, `${found.told[i]}`));
    assert.ok(found.told.every(([, , state]) => state === "running"));
    const [first, second] = found.starts;
    assert.equal(new Set(first).size, 1);
    second.forEach((start) => assert.ok(Math.abs(start - first[0] - 500) < 1e-6, `${start} after ${first[0]}`));
    assert.ok(parseFloat(found.shown) >= 10, found.shown);
    assert.deepEqual([found.how, found.state, found.left, found.rest], ["finished", "finished", 0, "none"]);
});

test("a loop with events does not drift, however long the page is busy", async (t) => {
    const page = await open(t);
    const found = await page.evaluate(async (definition) => {
        const { framesSync, frames, layers, playInto } = zoetrope;
        const looped = { ...definition, durationMs: 60, repeat: { mode: "loop" } };
        const told = [], begins = new Set();
        const playback = playInto(layers(), framesSync(looped), {
            onevent(event, by) { told.push([by.pass, event.effect ?? event.pose].join(" ")); },
        });
        const first = playback.animations[0].startTime;
        for (let i = 0; i < 6; i++) {
            const end = performance.now() + 70;
            while (performance.now() < end);
            await frames(1);
            begins.add(playback.animations[0].startTime - first);
        }
        const pass = playback.pass;
        playback.cancel();
        return { told, begins: [...begins], pass, how: await playback.finished };
    }, hop);
    const order = ["sparkle", "success", "confetti", "idle"];
    assert.deepEqual(found.told, found.told.map((_, i) => `${Math.floor(i / 4) + 1} ${order[i % 4]}`)); // none lost
    assert.ok(found.pass >= 6, `${found.pass} passes`);
    for (const begin of found.begins) {
        const halves = begin / 30; // each segment lasts half a pass
        assert.ok(Math.abs(halves - Math.round(halves)) < 1e-6, `${begin}`);
    }
    assert.equal(found.how, "cancelled");
});

test("pausing, seeking, another rate and cancelling", async (t) => {
    const page = await open(t);
    const found = await page.evaluate(async (definition) => {
        const { framesSync, frames, layers, playInto } = zoetrope;
        const elements = layers();
        const told = [], out = {};
        const turn = () => Math.round(parseFloat(getComputedStyle(elements.sway).rotate) * 1e3) / 1e3;
        const playback = playInto(elements, framesSync({ ...definition, durationMs: 10000 }), {
            onevent(event) { told.push(event.effect ?? event.pose); },
        });
        playback.pause();
        playback.seek(2500);
        out.at = [playback.localMs, turn(), playback.state, told.join()];
        await frames(60);
        out.still = [playback.localMs, turn()];
        playback.seek(5000); // at a cut the later segment holds
        out.cut = [turn(), playback.animations[0].effect.getTiming().fill, told.join()];
        playback.seek(9000);
        playback.rate = 4;
        playback.resume();
        out.resumed = [Math.round(playback.localMs), playback.animations[0].playbackRate];
        const began = performance.now();
        out.how = await playback.finished;
        out.took = performance.now() - began;
        out.told = told.join();
        playback.resume();
        playback.seek(0);
        out.after = [playback.state, playback.localMs, document.getAnimations().length];
        return out;
    }, hop);
    assert.deepEqual(found.at, [2500, 5, "paused", "sparkle"]);
    assert.deepEqual(found.still, [2500, 5]);
    assert.deepEqual(found.cut, [10, "none", "sparkle"]); // nothing is told of what was passed over
    assert.deepEqual(found.resumed, [9000, 4]);
    assert.equal(found.how, "finished");
    assert.ok(found.took > 200 && found.took < 5000, `${found.took} ms`);
    assert.equal(found.told, "sparkle,idle");
    assert.deepEqual(found.after, ["finished", 0, 0]);
});

test("listeners may cancel, pause and fail; signals cancel", async (t) => {
    const page = await open(t, { expect: [/uncaught: .*out of order/] });
    const found = await page.evaluate(async (definition) => {
        const { framesSync, frame, frames, layers, playInto } = zoetrope;
        const lists = framesSync({ ...definition, durationMs: 100 });
        const elements = layers();
        const out = {};
        const run = async (options, more = async () => {}) => {
            const told = [];
            const playback = playInto(elements, lists, {
                ...options, onevent(event, by) { told.push(event.effect ?? event.pose); options.onevent?.(event, by); },
            });
            await more(playback);
            return [await playback.finished, told.join()];
        };
        out.cancelled = await run({ onevent(event, by) { if (event.pose === "success") { by.cancel(); } } });
        out.failing = await run({ onevent() { throw new Error("out of order"); } });
        out.paused = await run({ onevent(event, by) { if (event.pose === "success") { by.pause(); } } }, async (by) => {
            while (by.state === "running") { await frame(); }
            await frames(80);
            out.held = [Math.abs(by.localMs - 50) < 1e-6, by.animations.map((animation) => animation.playState).join()];
            by.resume();
        });
        const abort = new AbortController();
        out.aborted = await run({ signal: abort.signal }, async () => { abort.abort(); });
        out.already = await run({ signal: abort.signal });
        out.left = document.getAnimations().length;
        return out;
    }, hop);
    assert.deepEqual(found, {
        cancelled: ["cancelled", "sparkle,success"], // not even what is due at the same instant
        failing: ["finished", "sparkle,success,confetti,idle"],
        held: [true, "paused,paused"],
        paused: ["finished", "sparkle,success,confetti,idle"],
        aborted: ["cancelled", "sparkle"], already: ["cancelled", ""], left: 0,
    });
});

test("waits come first, and what touches no layer takes no time", async (t) => {
    const page = await open(t);
    const found = await page.evaluate(async (definition) => {
        const { framesSync, frame, layers, playInto } = zoetrope;
        const elements = layers();
        const out = {};
        const waiting = framesSync({ ...definition, durationMs: 300,
            repeat: { mode: "random-interval", minDelayMs: 40, maxDelayMs: 1040 } });
        const chances = [0.02, 0.06];
        const told = [];
        const began = document.timeline.currentTime;
        const playback = playInto(elements, waiting, {
            random: () => chances.shift(), onevent(event, by) { told.push([by.pass, event.effect ?? event.pose].join(" ")); },
        });
        out.first = [playback.waiting, playback.animations.length, told.length];
        while (playback.waiting) { await frame(); }
        out.began = playback.animations[0].startTime - began;
        while (playback.pass < 2) { await frame(); }
        out.again = playback.animations[0].startTime - began;
        playback.cancel();
        out.told = told.join();

        const empty = (mode) => framesSync({ ...definition, tracks: [], repeat: { mode } });
        const swaps = [];
        const once = playInto(elements, empty("once"), { onevent: (event) => swaps.push(event.effect ?? event.pose) });
        out.once = [once.state, swaps.join()];
        let passes = 0;
        const loop = playInto(elements, empty("loop"), { onevent(event, by) { passes = by.pass; } });
        out.loop = [loop.state, passes];
        const start = document.timeline.currentTime;
        while (document.timeline.currentTime < start + 250) { await frame(); }
        out.passes = passes / ((document.timeline.currentTime - start) / 16.666666);
        loop.cancel();
        out.silent = playInto(elements, framesSync({ ...definition, tracks: [], events: [], repeat: { mode: "loop" } })).state;
        return out;
    }, hop);
    assert.deepEqual(found.first, [true, 0, 0]);
    assert.ok(Math.abs(found.began - 60) < 1e-6, `${found.began}`);
    assert.ok(Math.abs(found.again - (60 + 300 + 100)) < 1e-6, `${found.again}`);
    assert.equal(found.told.slice(0, 34), "1 sparkle,1 success,1 confetti,1 i");
    assert.deepEqual(found.once, ["finished", "sparkle,success,confetti,idle"]);
    assert.deepEqual(found.loop, ["running", 1]);
    assert.ok(found.passes > 0.8 && found.passes < 1.2, `${found.passes} of the passes`);
    assert.equal(found.silent, "finished");
});

test("while nobody sees the page everything stands still", async (t) => {
    const page = await open(t);
    const found = await page.evaluate(async (definition) => {
        const { framesSync, frames, layers, playInto } = zoetrope;
        const elements = layers();
        const look = (hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        };
        const told = [];
        const options = { onevent: (event) => told.push(event.effect ?? event.pose) };
        const lists = framesSync({ ...definition, durationMs: 400 });
        const playback = playInto(elements, lists, options);
        const other = playInto(elements, lists, { hidden: "play" });
        await frames(60);
        look(true);
        const held = playback.localMs;
        const out = { told: told.join(), states: playback.animations.map((animation) => animation.playState).join() };
        await frames(500);
        out.stands = playback.localMs === held;
        out.other = other.state;
        const started = playInto(elements, lists, { onevent: (event) => told.push(`late ${event.effect}`) });
        await frames(60);
        out.started = [started.state, started.localMs, told.join()];
        started.cancel();
        look(false);
        const since = performance.now();
        await frames(20);
        out.goesOn = playback.localMs > held && playback.localMs < held + performance.now() - since + 1;
        out.how = await playback.finished;
        out.told = told.join();
        return out;
    }, hop);
    assert.deepEqual(found, {
        states: "paused,paused", stands: true, other: "finished", started: ["running", 0, "sparkle,late sparkle"],
        goesOn: true, how: "finished", told: "sparkle,late sparkle,success,confetti,idle",
    });
});
