// Whole pets in the DOM: what the elements show against the player's own pose, along a whole script and in both
// profiles; states, clicks, particles, hidden pages, less motion; and that nothing is left behind.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serve } from "./serve.js";
import { withBrowser } from "./browser.js";

const shared = withBrowser();
let server = null;
before(async () => {
    const page = "<!doctype html><title>pet</title><link rel=icon href='data:,'><body style='margin:60px'>";
    server = await serve({ pages: { "/test/pet": page } });
});
after(() => server?.close());

const DIST = "/studio/packages/zoetrope/dist";

async function open(t, options) {
    const page = await shared.open(t, `${server.url}/test/pet`, options);
    await page.evaluate(prepare, DIST);
    return page;
}

/* global pets, document, getComputedStyle, DOMMatrix, requestAnimationFrame -- what follows runs in the page */

async function prepare(dist) {
    const core = await import(`${dist}/index.js`), { PetStage } = await import(`${dist}/dom.js`);
    await core.load();
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const frames = async (ms) => {
        for (const end = document.timeline.currentTime + ms; document.timeline.currentTime < end;) { await frame(); }
    };
    const until = async (met) => {
        for (const end = performance.now() + 10000; !met(); await frame()) {
            if (performance.now() > end) { throw new Error(`not in ten seconds: ${met}`); }
        }
    };
    const animationNames = ["curtain-spin", "gentle-float", "peekaboo", "slam-land"];
    const files = animationNames.map((name) => `animations/${name}.json`);
    const praxi = (options = {}) => PetStage.open("/examples/petween/praxi/pet.json", {
        parent: document.body, files, pictures: "/examples/petween/pet/{name}.png", ...options,
    });

    // How far what the elements show is from the pose, px at the worst corner of the square; and the rest.
    const compare = (stage) => {
        const pose = stage.player.sample();
        const scale = new DOMMatrix(getComputedStyle(stage.layers.root).transform).a;
        let whole = new DOMMatrix().translate(80, 144).scale(scale).translate(-80, -144);
        let opacity = 1;
        for (const layer of ["sway", "bounce", "breathe", "transition"]) {
            const style = getComputedStyle(stage.layers[layer]);
            const [x, y] = style.translate === "none" ? [0, 0] : style.translate.split(" ").map(parseFloat);
            const [sx, sy] = style.scale === "none" ? [1, 1] : style.scale.split(" ").map(Number);
            opacity *= Number(style.opacity);
            whole = whole.multiply(new DOMMatrix().translate(80, 144).translate(x, y ?? 0)
                .rotate(style.rotate === "none" ? 0 : parseFloat(style.rotate)).scale(sx, sy ?? sx)
                .multiply(new DOMMatrix(style.transform)).translate(-80, -144));
        }
        const target = stage.program.targets.findIndex(({ name }) => name === "transition");
        const m = pose.transform(target);
        let px = 0;
        for (const [x, y] of [[0, 0], [160, 0], [160, 160], [0, 160]]) {
            const seen = whole.transformPoint({ x, y });
            px = Math.max(px, Math.abs(seen.x - (m[0] * x + m[1] * y + m[3])),
                Math.abs(seen.y - (m[4] * x + m[5] * y + m[7])));
        }
        const boxes = [...stage.layers.transition.querySelectorAll("[data-cel]")];
        return {
            px, opacity: Math.abs(opacity - Math.min(1, Math.max(0, pose.opacity(target)))),
            picture: boxes.filter((box) => getComputedStyle(box).visibility === "visible").map((box) => box.dataset.cel)
                .join() === (stage.player.shown ?? ""),
        };
    };
    const particles = (stage) => [...stage.layers.transition.lastElementChild.children]
        .filter((element) => element.style.display !== "none");
    globalThis.pets = { ...core, PetStage, frame, frames, until, praxi, compare, particles };
}

// Along the example's film: every call that it has, and forty times a second.
async function film([profile, options]) {
    const { compare, particles, praxi } = pets;
    const script = await (await fetch("/examples/petween/praxi/film.json")).json();
    const stage = await praxi({ profile, paused: true, history: true, seed: 7, ...options });
    const worst = { px: 0, opacity: 0, particlePx: 0 };
    const seen = new Set();
    let compared = 0, most = 0, at = 0;
    const look = () => {
        const found = compare(stage);
        if (!found.picture) { throw new Error(`another picture at ${stage.now}`); }
        if (found.px > worst.px) { worst.px = found.px; at = stage.now; }
        worst.opacity = Math.max(worst.opacity, found.opacity);
        const elements = particles(stage), told = stage.player.particles();
        if (elements.length !== told.length) { throw new Error(`${elements.length} particles, not ${told.length}`); }
        told.forEach((particle, i) => {
            const m = new DOMMatrix(getComputedStyle(elements[i]).transform);
            worst.particlePx = Math.max(worst.particlePx, Math.abs(m.e - particle.x), Math.abs(m.f - particle.y));
        });
        most = Math.max(most, told.length);
        seen.add(stage.picture);
        compared++;
    };
    for (const step of script) {
        if (step.advance_ms) {
            const end = stage.now + step.advance_ms;
            for (let next = stage.now; next < end;) {
                next = Math.min(end, next + 25);
                stage.seek(next);
                look();
            }
        } else if (step.click) {
            stage.click();
            look();
        } else {
            stage.status(step.event.type, { tool: step.event.toolKind });
            look();
        }
    }
    const running = stage.player.runs.filter((run) => !run.waiting).length;
    stage.seek(1000); // back: all is made anew
    look();
    stage.free();
    return { worst, at, compared, most, pictures: [...seen].filter(Boolean).sort(), running };
}

test("the elements show the player's pose all along a film", async (t) => {
    const page = await open(t);
    const found = await page.evaluate(film, ["original", {}]);
    const what = JSON.stringify(found);
    assert.ok(found.worst.px <= 0.01, what);
    assert.ok(found.worst.opacity <= 1e-4, what);
    assert.ok(found.worst.particlePx <= 1e-3, what);
    assert.ok(found.compared > 400 && found.most >= 20, what);
    assert.deepEqual(found.pictures, ["error", "idle", "success", "thinking", "waiting", "working"]);
    t.diagnostic(what);
});

test("ambients that combine do so in the elements too, under the document's profile", async (t) => {
    const page = await open(t);
    const found = await page.evaluate(async () => {
        const { compare, PetStage } = pets;
        const float = await (await fetch("/examples/petween/gentle-float.json")).json();
        const nod = {
            version: 1, id: "user:nod", name: "Nod", kind: "interaction", durationMs: 900, repeat: { mode: "once" },
            tracks: ["sway.rotation", "bounce.y"].map((property) => ({
                property, keyframes: [{ at: 0, value: 0 }, { at: 0.5, value: 30 }, { at: 1, value: 0 }],
            })),
        };
        const ambient = {
            bounce: { enabled: true, strength: 1.2, intervalMinMs: 50, intervalMaxMs: 120, durationMs: 400 },
            sway: { enabled: true, angleDeg: 9, periodMs: 700 },
            breathe: { enabled: true, strength: 1.5, periodMs: 500 },
            customAnimationId: "user:gentle-float",
        };
        const pet = { version: 1, global: { scale: 1.5 }, interactions: { click: { animation: "user:nod" } },
            states: { idle: { enter: { preset: "none" }, ambient } } };
        const told = {};
        for (const profile of ["document", "original"]) {
            const stage = await PetStage.open(pet, {
                parent: document.body, files: { "float.json": float, "nod.json": nod }, pictures: null, profile,
                paused: true,
            });
            let worst = 0, several = 0, covered = 0;
            for (let ms = 0; ms < 4000; ms += 20) {
                if (ms === 2000) { stage.click(); }
                stage.seek(ms);
                worst = Math.max(worst, compare(stage).px);
                const composites = stage.animations.map((animation) => animation.effect.composite);
                several += composites.includes("add") ? 1 : 0;
                const clicks = stage.player.runs.some((run) => run.clip === "user:nod");
                covered += clicks && composites.includes("add") ? 1 : 0;
            }
            stage.free();
            told[profile] = { worst, several, covered };
        }
        return told;
    });
    const what = JSON.stringify(found);
    assert.ok(found.document.worst <= 0.03, what); // 1.5 times as large
    assert.ok(found.original.worst <= 0.03, what);
    assert.ok(found.document.several > 150 && found.document.covered > 30, what);
    assert.equal(found.original.several, 0); // the newest hides the others there
    t.diagnostic(what);
});

test("a pet lives: states, a click of the mouse, particles, and animations that are left alone", async (t) => {
    const page = await open(t);
    await page.evaluate(async () => {
        const { praxi } = pets;
        globalThis.told = [];
        globalThis.stage = await praxi({ size: 240, label: "Praxi" });
        globalThis.stage.addEventListener("animation", ({ detail }) => globalThis.told.push(detail));
    });
    const idle = await page.evaluate(async () => {
        const { frame, frames, particles, until } = pets;
        await until(() => stage.player.runs.some((run) => run.clip === "user:gentle-float"));
        await frame();
        const timings = stage.animations.map((animation) => {
            const { iterations, direction, duration } = animation.effect.getTiming();
            return [iterations, direction, duration].join(" ");
        });
        const starts = () => stage.animations.map((animation) => animation.startTime).join();
        const before = stage.animations, began = starts();
        await frames(300);
        await until(() => particles(stage).length === 0); // of the enter
        told.length = 0;
        return { timings, same: before.every((animation, i) => animation === stage.animations[i]) && began === starts(),
            picture: stage.picture, width: stage.element.getBoundingClientRect().width,
            role: stage.element.getAttribute("role"), name: stage.element.getAttribute("aria-label") };
    });
    assert.deepEqual(idle.timings, ["Infinity alternate 1700", "Infinity alternate 1700", "Infinity alternate 1700"]);
    assert.equal(idle.same, true); // the browser plays them; nobody touches them each frame
    assert.deepEqual([idle.picture, idle.width, idle.role, idle.name], ["idle", 240, "img", "Praxi"]);

    // The middle of the square shows the picture; its corner does not.
    const box = await page.evaluate(() => stage.element.getBoundingClientRect().toJSON());
    await page.mouse.click(box.x + 120, box.y + 150);
    const clicked = await page.evaluate(async () => {
        const { particles, until } = pets;
        const running = stage.player.runs.map((run) => run.clip);
        await until(() => particles(stage).length > 0);
        const count = particles(stage).length;
        await until(() => stage.player.runs.every((run) => run.clip !== "user:peekaboo"));
        return { running, count, events: told.map((event) => event.kind), pictures: told.filter((e) => e.kind === "cel")
            .map((e) => e.cel) };
    });
    assert.ok(clicked.running.includes("user:peekaboo"), `${clicked.running}`);
    assert.equal(clicked.count, 12); // a star burst
    assert.deepEqual(clicked.pictures, ["waiting", "success", "idle"]);
    assert.ok(clicked.events.includes("start-effect") && clicked.events.includes("run-end"));
    await page.mouse.click(box.x - 20, box.y - 20);

    const working = await page.evaluate(async () => {
        const { compare, until } = pets;
        told.length = 0;
        const known = [stage.status("tool-start", { tool: "edit" }), stage.status("nonsense")];
        await until(() => stage.picture === "working");
        await until(() => stage.animations.some((animation) => animation.effect.target.dataset.layer === "bounce"));
        stage.pause();
        const now = stage.now, away = compare(stage);
        const paused = stage.animations.every((animation) => animation.playState === "paused");
        stage.speed = 3;
        stage.resume();
        const request = [stage.request("success"), stage.request("nonsense")];
        const rates = [...new Set(stage.animations.map((animation) => animation.playbackRate))];
        await until(() => stage.picture === "success");
        return { known, state: told.find((event) => event.kind === "state")?.state, now, away, paused, request, rates };
    });
    assert.deepEqual(working.known, [true, false]);
    assert.equal(working.state, "working");
    assert.ok(working.away.px < 0.5 && working.away.picture, JSON.stringify(working.away)); // `document`: other curves
    assert.equal(working.paused, true);
    assert.deepEqual([working.request, working.rates], [[true, false], [3]]);
});

test("it looks as it is meant to", async (t) => {
    const page = await open(t);
    await page.evaluate(async () => {
        const stage = await pets.praxi({ paused: true, history: true, seed: 3, size: 240 });
        stage.seek(1500);
        stage.status("success");
        stage.seek(2000); // in the middle of its enter, confetti and all
    });
    await shared.golden(await page.screenshot({ clip: { x: 0, y: 0, width: 360, height: 360 } }), "pet-stage");
});

test("elements and player stay together while the page is busy", async (t) => {
    const page = await open(t);
    const found = await page.evaluate(async () => {
        const { compare, frame, praxi, until } = pets;
        const stage = await praxi({ profile: "original" });
        const worst = {};
        const look = async (what) => {
            await frame(); // the stage has had its turn in it, so both are at this frame's time
            worst[what] = Math.max(worst[what] ?? 0, compare(stage).px);
        };
        const busy = (ms) => { for (const end = performance.now() + ms; performance.now() < end;); };
        for (let i = 0; i < 8; i++) {
            if (i === 3) { stage.status("waiting"); }
            busy(60);
            await look("busy");
            await look("busy");
        }
        await until(() => stage.state.name === "waiting");
        await until(() => stage.player.runs.some((run) => run.clip === "builtin:sway"));
        stage.seek(stage.now + 777);
        await look("sought");
        stage.player.advance(333); // behind its back: the animations are set right
        await look("advanced");
        const before = stage.now;
        await frame();
        if (!(stage.now > before)) { throw new Error("the player waits for the timeline"); }
        stage.speed = 2.5;
        await look("faster");
        busy(60);
        await look("faster");
        stage.pause();
        worst.paused = compare(stage).px;
        busy(60);
        await frame();
        stage.resume();
        await look("resumed");
        stage.click();
        await look("clicked");
        busy(90);
        await look("clicked");
        stage.free();
        return worst;
    });
    const what = JSON.stringify(found);
    assert.equal(Object.keys(found).length, 7);
    assert.ok(Object.values(found).every((px) => px < 0.01), what);
    t.diagnostic(what);
});

test("while nobody sees it it stands still, but for its states", async (t) => {
    const page = await open(t);
    const found = await page.evaluate(async () => {
        const { frames, praxi, until } = pets;
        const stage = await praxi();
        const look = (hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        };
        const local = () => stage.player.runs.find((run) => run.clip === "user:gentle-float")?.localMs;
        await until(() => local() > 0);
        await frames(60);
        look(true);
        const held = local(), out = {};
        const states = () => [...new Set(stage.animations.map((animation) => animation.playState))].join();
        out.paused = states() === "paused";
        const where = stage.animations[0].currentTime;
        await frames(150);
        out.still = stage.animations[0].currentTime === where && local() === held;
        look(false);
        await frames(60);
        out.on = local() > held && local() < held + 1000;
        look(true);
        stage.status("error");
        await new Promise((done) => setTimeout(done, 1300));
        out.state = stage.state.name;
        look(false);
        await until(() => stage.picture === "error"); // its enter goes on from where it stood

        const tall = document.createElement("div");
        tall.style.height = "4000px";
        document.body.prepend(tall);
        await until(() => stage.player.hidden);
        out.off = !states().includes("running");
        tall.remove();
        await until(() => !stage.player.hidden);
        out.back = states().includes("running");
        stage.free();
        return out;
    });
    assert.deepEqual(found, { paused: true, still: true, on: true, state: "error", off: true, back: true });
});

test("less motion, when it is asked for", async (t) => {
    const page = await open(t);
    await page.emulateMedia({ reducedMotion: "reduce" });
    const found = await page.evaluate(async () => {
        const { frames, praxi, until } = pets;
        globalThis.stage = await praxi();
        const enter = stage.animations.map((animation) => animation.effect.getTiming().duration);
        const flat = stage.animations.every((animation) =>
            new Set(animation.effect.getKeyframes().map((frame) => frame.scale)).size === 1);
        await until(() => stage.picture === "idle");
        await frames(200);
        return { enter, flat, runs: stage.player.runs.length, animations: stage.animations.length };
    });
    assert.equal(found.enter.length, 1);
    assert.ok(found.enter[0] < 120 && found.flat, JSON.stringify(found)); // a part of the 120 ms that it takes in all
    assert.deepEqual([found.runs, found.animations], [0, 0]); // nothing plays beside
    await page.emulateMedia({ reducedMotion: "no-preference" });
    const again = await page.evaluate(async () => {
        const { frame, until } = pets;
        await until(() => stage.animations.length > 0);
        const without = [stage.player.reducedMotion, stage.reducedMotion];
        stage.reducedMotion = "reduce";
        await frame();
        return { without, now: [stage.player.reducedMotion, stage.animations.length] };
    });
    assert.deepEqual(again, { without: [false, "auto"], now: [true, 0] });
});

test("free takes all away", async (t) => {
    const page = await open(t);
    const found = await page.evaluate(async () => {
        const { frames, praxi } = pets;
        const abort = new AbortController();
        const before = document.body.childElementCount;
        const stages = await Promise.all([praxi(), praxi({ signal: abort.signal }), praxi({ state: "working" })]);
        await frames(100);
        const out = { three: document.body.childElementCount - before };
        stages[0].click();
        stages[0].free();
        stages[0].free();
        abort.abort();
        stages[2].addEventListener("animation", () => stages[2].free()); // by whoever is told
        out.during = stages[2].request("error");
        await frames(50);
        document.dispatchEvent(new Event("visibilitychange"));
        stages.forEach((stage) => { stage.pause(); stage.resume(); });
        out.left = [document.body.childElementCount - before, document.getAnimations().length];
        try {
            stages[0].click();
        } catch (error) {
            out.after = error.message;
        }
        out.seek = stages[0].seek(100);
        const early = new AbortController();
        early.abort();
        out.early = await praxi({ signal: early.signal }).catch((error) => error.name);
        out.none = document.body.childElementCount - before;
        return out;
    });
    assert.deepEqual(found, { three: 3, during: true, left: [0, 0], after: "this pet has been freed", seek: [],
        early: "AbortError", none: 0 });
});

test("single animations, folders with pictures, and what cannot be", async (t) => {
    const page = await open(t, { expect: [/404/] });
    const found = await page.evaluate(async () => {
        const { compare, frames, PetStage, until } = pets;
        const out = {}, parent = document.body;
        const say = (promise) => promise.then(() => "fine", (error) =>
            [error.name, error.status, error.diagnostics?.[0]?.id, error.message].filter(Boolean).join(" | "));
        const jelly = await PetStage.open("builtin:jelly", { parent, pictures: null, paused: true });
        const away = [];
        for (let ms = 0; ms <= 380; ms += 20) { jelly.seek(ms); away.push(compare(jelly).px); }
        out.jelly = Math.max(...away);
        jelly.free();

        const pack = await PetStage.open("/examples/petween/praxi-pack.json", { parent, pictures: null });
        out.plays = pack.play("user:peekaboo");
        out.clips = pack.program.clips.some((clip) => clip.name === "user:peekaboo");
        pack.free();

        // Beside the document, by the names of the states.
        const image = await (await fetch("/examples/petween/pet/idle.png")).blob();
        const beside = await PetStage.open({ version: 1 }, { parent, base: "/examples/petween/pet/", format: "pet" });
        out.beside = beside.layers.transition.querySelectorAll("[data-cel] img").length;
        beside.free();

        const own = document.createElement("canvas");
        [own.width, own.height] = [320, 160];
        const two = await PetStage.open("/examples/petween/praxi/pet.json", {
            parent, files: ["animations/curtain-spin.json", "animations/gentle-float.json", "animations/peekaboo.json",
                "animations/slam-land.json"], pictures: { idle: image, working: own },
        });
        await until(() => two.picture === "idle");
        two.request("error");
        await frames(400);
        const size = two.layers.transition.querySelector("[data-cel=working]").style;
        // An error falls back to idle.
        out.two = [two.state.name, two.picture, size.width, size.height, size.left, size.top];
        two.free();

        out.bad = await say(PetStage.open({ version: 1, states: { idle: { pose: "sad" } } }, { parent }));
        out.enemy = await say(PetStage.open("/examples/enemy/hop.json", { parent }));
        out.missing = await say(PetStage.open("/examples/petween/none.json", { parent }));
        out.file = await say(PetStage.open("/examples/petween/praxi/pet.json", { parent, files: ["none.json"] }));
        const noPicture = { idle: "/examples/petween/pet/draw_pet.py" };
        out.picture = await say(PetStage.open("builtin:jelly", { parent, pictures: noPicture }));
        out.parent = await say(PetStage.open("builtin:jelly", {}));
        out.made = await say((async () => new PetStage())());
        out.left = document.querySelectorAll("[data-pet]").length;
        return out;
    });
    assert.ok(found.jelly <= 0.01, `${found.jelly} px`);
    assert.deepEqual([found.plays, found.clips], [false, true]); // a pack by itself has nobody who would play by name
    assert.equal(found.beside, 6);
    assert.deepEqual(found.two, ["error", "idle", "160px", "80px", "0px", "67.2px"]);
    assert.match(found.bad, /^ZoetropeError \| invalid \| petween\/pet-field/);
    assert.match(found.enemy, /^ZoetropeError \| (unsupported|invalid)/);
    assert.match(found.missing, /^ZoetropeError \| unreachable .*none\.json is not there/);
    assert.match(found.file, /^ZoetropeError \| unreachable .*praxi\/none\.json is not there/);
    assert.match(found.picture, /^ZoetropeError \| unsupported .*cannot be shown/);
    assert.match(found.parent, /^TypeError .*parent/);
    assert.match(found.made, /^TypeError .*PetStage\.open/);
    assert.equal(found.left, 0);
});
