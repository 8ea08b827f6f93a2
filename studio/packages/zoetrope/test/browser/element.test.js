// <zoetrope-player> in Chromium: what each attribute does, when it plays and when it does not, what it tells, and that
// nothing is left of it. Time is the tests' own (page.clock), so that figures are exact.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { withBrowser } from "./browser.js";
import { serve } from "./serve.js";

const browser = withBrowser();
let server;
before(async () => { server = await serve(); });
after(async () => { await server.close(); });

const PET = `src="/examples/petween/praxi/pet.json" pictures="/examples/petween/pet/{name}.png"
    files="animations/curtain-spin.json animations/gentle-float.json animations/peekaboo.json animations/slam-land.json"`;
const SLAM = `src="/examples/petween/slam-land.json" pictures="/examples/petween/pet/{name}.png"`;
const ENEMY = `src="/examples/enemy/idle.json" files="rig.json sprites.json sprites.png fx/drop.png fx/nectar.png
    fx/puff.png fx/ring.png fx/splat.png fx/spore.png fx/swish.png"`;
const PACK = `src="/examples/charpack/vesper/runtime_manifest.json"
    files="graph_config.json spriteforge_mouth_config.json */*.ktx2"`;
const ENGINE = `src="/examples/forge/engine/afsm/engine.json" files="../models/engine.json ../animation/engine.json
    ../textures/engine_base.png ../textures/engine_bellows.png ../textures/engine_column.png
    ../textures/engine_ring.png ../textures/engine_side.png ../textures/engine_step.png"`;

const PAGE = (body, element) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<style>body { margin: 20px; font: 14px "DejaVu Sans", sans-serif; } zoetrope-player { width: 200px; }</style>
<script>
    window.told = [];
    for (const type of ["ready", "error", "animation", "catchup"]) {
        addEventListener(type, (event) => {
            if (event.target.localName !== "zoetrope-player") { return; }
            const { detail } = event;
            told.push({ type, id: event.target.id, kind: detail.kind, name: detail.name, via: detail.via, end: detail.end,
                clip: detail.clip, t: detail.t, elapsed: detail.elapsed, events: detail.events?.length,
                message: detail.message, diagnostics: detail.diagnostics?.map((d) => d.id) });
        }, { capture: true });
    }
</script>
<script type="module" src="${element}"></script>
${body}`;

let count = 0;
// A page with this body; `clock`: its time is the test's.
async function open(t, body, { clock = true, at = server, element = "/studio/packages/zoetrope/dist/element.js",
    ready = true, ...options } = {}) {
    const path = `/test-${++count}.html`;
    at.pages[path] = PAGE(body, element);
    const page = await browser.open(t, at.url + path, {
        ...options,
        prepare: async (made) => {
            if (!clock) { return; }
            await made.clock.install({ time: 0 });
            await made.clock.pauseAt(1000);
        },
    });
    if (ready) { await settled(page); }
    return page;
}

// Every player of the page is ready or has failed, and is where it is seen.
async function settled(page) {
    await page.waitForFunction(() => [...document.querySelectorAll("zoetrope-player")].every((one) =>
        one.isConnected && !one.hasAttribute("aria-busy") && (one.player !== null || !one.shadowRoot.querySelector("[part=error]").hidden)));
}

const ask = (page, what, argument) => page.$eval("zoetrope-player", what, argument);
const told = (page, type) => page.evaluate((wanted) => window.told.filter((one) => one.type === wanted), type);
const forget = (page) => page.evaluate(() => { window.told.length = 0; });

// How many pixels of the canvas are not clear.
const painted = (page, selector = "zoetrope-player") => page.$eval(selector, (one) => {
    const copy = one.snapshot();
    const { data } = copy.getContext("2d").getImageData(0, 0, copy.width, copy.height);
    let pixels = 0;
    for (let i = 3; i < data.length; i += 4) { if (data[i] > 8) { pixels++; } }
    return pixels;
});

// Waits until the player has been found to be on the screen and time passes.
async function playing(page, selector = "zoetrope-player") {
    await page.waitForFunction((s) => document.querySelector(s).playing, selector);
}

async function show(page, visible) {
    await page.evaluate((on) => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => on ? "visible" : "hidden" });
        Object.defineProperty(document, "hidden", { configurable: true, get: () => !on });
        document.dispatchEvent(new Event("visibilitychange"));
    }, visible);
}

// ---------------------------------------------------------------- what is wrong is said

test("a file with errors shows the first of them, with place and hint", async (t) => {
    const broken = { version: 1, id: "user:hop", name: "Hop", kind: "interaction", durationMs: 260,
        repeat: { mode: "once" }, tracks: [{ property: "transition.y", keyframes: [{ at: 0, value: 0, easing: "eas-out" }] }] };
    const page = await open(t, `<zoetrope-player><script type="application/json" name="hop.json">${JSON.stringify(broken)}</script></zoetrope-player>`);
    const shown = await ask(page, (one) => {
        const error = one.shadowRoot.querySelector("[part=error]");
        const part = (name) => error.querySelector(`[part=${name}]`)?.textContent;
        return { hidden: error.hidden, role: error.getAttribute("role"), place: part("place"), hint: part("hint"),
            message: part("message") };
    });
    assert.equal(shown.hidden, false);
    assert.equal(shown.role, "alert");
    assert.match(shown.place, /^hop\.json:1:\d+$/);
    assert.match(shown.message, /easing must be one of/);
    assert.match(shown.hint, /did you mean "ease-out"/);
    const [event] = await told(page, "error");
    assert.deepEqual(event.diagnostics, ["petween/easing"]);
    const rejected = await ask(page, (one) => one.ready.then(() => "fine", (error) => error.diagnostics.length));
    assert.equal(rejected, 1);

    await ask(page, (one) => { one.src = "/examples/petween/slam-land.json"; return one.ready.then(() => 0); });
    assert.equal(await ask(page, (one) => one.shadowRoot.querySelector("[part=error]").hidden), true, "mended, it plays");
});

test("a file that is not there is said, and an unknown state or clip stops nothing", async (t) => {
    const page = await open(t, `<zoetrope-player src="/nowhere.json"></zoetrope-player>`, { expect: [/404/] });
    assert.match((await told(page, "error"))[0].message, /nowhere\.json/);

    const pet = await open(t, `<zoetrope-player ${PET} state="asleep"></zoetrope-player>`);
    assert.match((await told(pet, "error"))[0].message, /asleep/);
    assert.equal(await ask(pet, (one) => one.currentState), "idle");
    await ask(pet, (one) => { one.state = "nonsense"; one.clip = "user:no-such"; one.params = "no=1"; });
    assert.equal((await told(pet, "error")).length, 4);
    assert.equal(await ask(pet, (one) => one.player !== null), true);
});

// ---------------------------------------------------------------- attributes

test("attributes reflect as properties, both ways", async (t) => {
    const page = await open(t, `<zoetrope-player></zoetrope-player>`, { ready: false, clock: false });
    await page.waitForFunction(() => customElements.get("zoetrope-player"));
    const wrong = await ask(page, (one) => {
        const bad = [];
        for (const [attribute, property] of [["src", "src"], ["files", "files"], ["pictures", "pictures"], ["state", "state"],
            ["clip", "clip"], ["params", "params"], ["format", "format"], ["profile", "profile"], ["fit", "fit"],
            ["renderer", "renderer"], ["seed", "seed"], ["background", "background"], ["alt", "alt"],
            ["reduced-motion", "reducedMotion"]]) {
            if (one[property] !== null) { bad.push(`${property} is not null`); }
            one[property] = "first";
            if (one.getAttribute(attribute) !== "first") { bad.push(`${property} does not reach its attribute`); }
            one.setAttribute(attribute, "second");
            if (one[property] !== "second") { bad.push(`${attribute} does not reach its property`); }
            one[property] = null;
            if (one.hasAttribute(attribute)) { bad.push(`${property} = null leaves the attribute`); }
        }
        for (const name of ["paused", "history"]) {
            one[name] = true;
            if (one.getAttribute(name) !== "") { bad.push(`${name} = true`); }
            one.removeAttribute(name);
            if (one[name] !== false) { bad.push(`${name} removed`); }
        }
        for (const [text, value] of [["2", 2], ["0.25", 0.25], ["-1", 0], ["fast", 1], ["1e9", 100]]) {
            one.setAttribute("speed", text);
            if (one.speed !== value) { bad.push(`speed="${text}" is ${one.speed}`); }
        }
        return bad;
    });
    assert.deepEqual(wrong, []);
});

test("properties that were set before the element is defined count", async (t) => {
    const page = await open(t, `<zoetrope-player id="early"></zoetrope-player><script>
        early.src = "/examples/petween/slam-land.json"; early.paused = true; early.speed = 2;</script>`);
    assert.deepEqual(await ask(page, (one) => [one.getAttribute("src"), one.hasAttribute("paused"), one.speed,
        Object.keys(one).length]), ["/examples/petween/slam-land.json", true, 2, 0]);
});

test("src plays: it is ready, tells its events and draws", async (t) => {
    const page = await open(t, `<zoetrope-player ${SLAM}></zoetrope-player>`);
    await playing(page);
    await page.clock.runFor(1000);
    const events = await told(page, "animation");
    assert.equal((await told(page, "ready")).length, 1);
    assert.deepEqual(events.map((one) => one.kind), ["run-start", "show-cel", "run-end"]);
    assert.ok(Math.abs(events[1].t - 134.4) < 1e-6, `the swap is at ${events[1].t}`);
    assert.ok(await painted(page) > 5000, "something is drawn");
    const now = await ask(page, (one) => one.now);
    assert.ok(Math.abs(now - 1000) < 40, `a second has passed, its clock says ${now}`);
});

test("state: where it begins, and where it goes when it is set", async (t) => {
    const page = await open(t, `<zoetrope-player ${PET} state="working"></zoetrope-player>`);
    await playing(page);
    assert.equal(await ask(page, (one) => one.currentState), "working");
    await ask(page, (one) => { one.state = "success"; });
    await page.clock.runFor(500);
    assert.equal(await ask(page, (one) => one.currentState), "success");
    const states = (await told(page, "animation")).filter((one) => one.kind === "state").map((one) => one.name);
    assert.deepEqual(states.slice(-2), ["active", "success"], "told by the group");
});

test("state: a machine that runs by itself is led there along its graph", async (t) => {
    const page = await open(t, `<zoetrope-player ${PACK} paused></zoetrope-player>`);
    await ask(page, (one) => { one.state = "wave"; one.seek(800); });
    assert.equal(await ask(page, (one) => one.currentState), "wave");
    const way = (await told(page, "animation")).filter((one) => one.kind === "state");
    assert.equal(way.at(-1).via, "trigger");
});

test("clip: one by itself, and back", async (t) => {
    const page = await open(t, `<zoetrope-player ${PET} clip="user:slam-land" paused></zoetrope-player>`);
    await ask(page, (one) => one.seek(100));
    assert.deepEqual(await ask(page, (one) => one.player.runs.map((run) => run.clip)), ["user:slam-land"]);
    assert.deepEqual((await told(page, "animation")).filter((one) => one.kind === "state"), []);
    await ask(page, (one) => { one.clip = null; });
    assert.equal((await told(page, "animation")).filter((one) => one.kind === "state").length, 1);
});

test("format and profile are those of the compiler", async (t) => {
    const page = await open(t, `<zoetrope-player ${SLAM} profile="original"></zoetrope-player>`);
    assert.equal(await ask(page, (one) => one.program.profile), "original");
    await ask(page, (one) => { one.profile = null; return one.ready.then(() => 0); });
    assert.equal(await ask(page, (one) => one.program.profile), "document");
    await ask(page, (one) => { one.format = "enemy-animation"; return one.ready.then(() => 0, () => 0); });
    assert.ok((await told(page, "error"))[0].diagnostics.length > 0, "it is no enemy");
});

test("params are set before anything begins, and when they change", async (t) => {
    const page = await open(t, `<zoetrope-player ${ENGINE} params="speed=0.5" paused></zoetrope-player>`);
    assert.equal(await ask(page, (one) => one.get("speed")), 0.5);
    await ask(page, (one) => { one.params = "speed=2"; });
    assert.equal(await ask(page, (one) => one.get("speed")), 2);
});

test("paused stands still, and goes on where it stood", async (t) => {
    const page = await open(t, `<zoetrope-player ${PET}></zoetrope-player>`);
    await playing(page);
    await page.clock.runFor(480);
    await ask(page, (one) => { one.paused = true; });
    const before = await ask(page, (one) => one.now);
    await page.clock.runFor(5000);
    assert.equal(await ask(page, (one) => one.now), before);
    await ask(page, (one) => { one.paused = false; });
    await page.clock.runFor(160);
    const passed = await ask(page, (one) => one.now) - before;
    assert.ok(passed > 100 && passed < 200, `${passed} ms have passed`);
    assert.deepEqual(await told(page, "catchup").then((list) => list.filter((one) => one.elapsed > 100)), []);
});

test("speed scales time, exactly, and 0 stops it", async (t) => {
    const page = await open(t, `<zoetrope-player ${PET} speed="0.25"></zoetrope-player>`);
    await playing(page);
    const span = async (speed, ms) => {
        await ask(page, (one, value) => { one.speed = value; }, speed);
        const before = await ask(page, (one) => one.now);
        await page.clock.runFor(ms);
        return await ask(page, (one) => one.now) - before;
    };
    for (const speed of [0.25, 1, 2]) {
        const passed = await span(speed, 1600);
        assert.ok(Math.abs(passed - 1600 * speed) <= 17 * speed, `at ${speed}: ${passed} of 1600 ms`);
    }
    assert.ok(await span(0, 1600) <= 34, "what was left of the frame before");
});

test("seed decides what chance does", async (t) => {
    const page = await open(t, `<zoetrope-player ${PACK} paused seed="7"></zoetrope-player>`);
    const walk = async (seed) => {
        await forget(page);
        await ask(page, (one, value) => { one.seed = value; one.seek(120000); }, seed);
        return (await told(page, "animation")).filter((one) => one.kind === "state").map((one) => one.name).join(" ");
    };
    const first = await walk("a seed"), second = await walk("11"), third = await walk("a seed");
    assert.equal(first, third);
    assert.notEqual(first, second);
    assert.ok(first.split(" ").length > 20, first);
});

test("fit, background, alt", async (t) => {
    const page = await open(t, `<zoetrope-player ${SLAM} paused alt="A moth lands" background="rgb(10, 20, 30)"
        style="width: 300px; height: 150px"></zoetrope-player>`);
    const look = () => ask(page, (one) => {
        const canvas = one.shadowRoot.querySelector("canvas");
        return [canvas.getAttribute("role"), canvas.getAttribute("aria-label"), getComputedStyle(canvas).backgroundColor,
            canvas.width, canvas.height];
    });
    assert.deepEqual(await look(), ["img", "A moth lands", "rgb(10, 20, 30)", 300, 150]);
    const contain = await painted(page);
    await ask(page, (one) => { one.fit = "cover"; });
    const cover = await painted(page);
    assert.ok(cover > contain * 2, `contain paints ${contain}, cover ${cover} pixels`);
    await ask(page, (one) => { one.alt = null; one.background = null; });
    assert.deepEqual((await look()).slice(0, 3), ["img", "animation: slam-land", "rgba(0, 0, 0, 0)"]);
    await ask(page, (one) => { one.alt = ""; });
    assert.equal(await ask(page, (one) => one.shadowRoot.querySelector("canvas").getAttribute("aria-hidden")), "true");
});

test("renderer: WebGL and our rasteriser show the same", async (t) => {
    const page = await open(t, `<zoetrope-player ${PET} paused renderer="webgl"></zoetrope-player>`);
    await ask(page, (one) => one.seek(600));
    const webgl = await painted(page);
    const renderers = [];
    for (const name of ["pixels", "webgl", "pixels"]) {
        await ask(page, (one, value) => { one.renderer = value; }, name);
        await page.waitForFunction(() => document.querySelector("zoetrope-player").stage !== null);
        renderers.push(await ask(page, (one) => one.stage.renderer));
        const pixels = await painted(page);
        assert.ok(Math.abs(pixels - webgl) < webgl * 0.02, `${name} paints ${pixels} pixels, WebGL ${webgl}`);
    }
    assert.deepEqual(renderers, ["pixels", "webgl", "pixels"]);
});

test("its size is that of the page's CSS, in pixels of the screen, and its height follows from the stage", async (t) => {
    const page = await open(t, `<zoetrope-player ${PACK} paused></zoetrope-player>`, { deviceScaleFactor: 2 });
    const size = () => ask(page, (one) => {
        const { width, height } = one.getBoundingClientRect();
        const canvas = one.shadowRoot.querySelector("canvas");
        return [width, Math.round(height), canvas.width, canvas.height];
    });
    const height = Math.round(200 * 220 / 198);
    const first = await size();
    assert.deepEqual(first.slice(0, 2), [200, height]);
    assert.ok(Math.abs(first[2] - 400) <= 1 && Math.abs(first[3] - 2 * height) <= 2, String(first));
    await ask(page, (one) => { one.style.width = "120px"; });
    await page.waitForFunction(() => document.querySelector("zoetrope-player").shadowRoot.querySelector("canvas").width === 240);
});

test("the text inside serves as source, and follows when it is changed", async (t) => {
    const clip = (ms) => JSON.stringify({ version: 1, id: "user:up", name: "Up", kind: "interaction", durationMs: ms,
        repeat: { mode: "once" }, tracks: [{ property: "transition.y", keyframes: [{ at: 0, value: 0 }, { at: 1, value: -20 }] }] });
    const page = await open(t, `<zoetrope-player><script type="application/json">${clip(300)}</script></zoetrope-player>`);
    assert.equal(await ask(page, (one) => one.program.clips[0].durationMs), 300);
    await ask(page, (one, text) => { one.querySelector("script").textContent = text; }, clip(500));
    await page.waitForFunction(() => document.querySelector("zoetrope-player").program?.clips[0].durationMs === 500);
});

// ---------------------------------------------------------------- what a page asks

test("poke, status, request, flash and seek are asked at the present time", async (t) => {
    const page = await open(t, `<zoetrope-player ${PET} history></zoetrope-player>`);
    await playing(page);
    await page.clock.runFor(1000);
    await forget(page);
    assert.equal(await ask(page, (one) => one.poke()), true);
    await page.clock.runFor(100);
    const [start] = (await told(page, "animation")).filter((one) => one.kind === "run-start" && one.clip === "user:peekaboo");
    assert.ok(Math.abs(start.t - 1000) < 40, `poked at ${start.t}`);
    assert.equal(await ask(page, (one) => one.status("turn-start")), true);
    assert.equal(await ask(page, (one) => one.status("no-such")), false);
    await page.clock.runFor(2500);
    assert.equal(await ask(page, (one) => one.currentState), "thinking");
    await ask(page, (one) => { one.paused = true; one.seek(900); });
    assert.deepEqual(await ask(page, (one) => [one.now, one.currentState]), [900, "idle"]);
    assert.equal(await ask(page, (one) => one.request("error")), true);
    assert.equal(await ask(page, (one) => one.currentState), "error");
    await ask(page, (one) => { one.history = false; });
    const refused = await ask(page, (one) => { one.seek(50); try { one.seek(10); } catch (error) { return error.name; } return ""; });
    assert.equal(refused, "RangeError");
});

// ---------------------------------------------------------------- seen and unseen

test("less motion: a pet plays its gentle twins, and follows the wish when it changes", async (t) => {
    const page = await open(t, `<zoetrope-player ${PET}></zoetrope-player>`, { reducedMotion: "reduce" });
    await playing(page);
    assert.equal(await ask(page, (one) => one.player.reducedMotion), true);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.waitForFunction(() => document.querySelector("zoetrope-player").player.reducedMotion === false);
    await ask(page, (one) => { one.reducedMotion = "reduce"; });
    assert.equal(await ask(page, (one) => one.player.reducedMotion), true);
    await page.clock.runFor(400);
    // For two seconds nothing moves that the pet plays beside its state.
    const poses = await ask(page, (one) => [0, 700, 1400].map((ms) => { one.seek(one.now + ms); return [...one.player.sample().transforms].join(); }));
    assert.equal(new Set(poses).size, 1);
});

test("less motion: what has no gentle twin stands still until somebody asks for it", async (t) => {
    const page = await open(t, `<zoetrope-player ${ENEMY}></zoetrope-player>`, { reducedMotion: "reduce" });
    const button = page.locator("zoetrope-player").getByRole("button");
    assert.equal(await ask(page, (one) => one.paused), true);
    await page.clock.runFor(1000);
    assert.equal(await ask(page, (one) => one.now), 0);
    assert.ok(await painted(page) > 1000, "it is drawn all the same");
    await button.click();
    await playing(page);
    await page.clock.runFor(500);
    assert.ok(await ask(page, (one) => one.now) > 400);
    assert.equal(await button.isVisible(), false);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    // Told before it changes again: of two changes at once a page hears nothing.
    await page.waitForFunction(() => document.querySelector("zoetrope-player").player.reducedMotion === false);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.waitForFunction(() => document.querySelector("zoetrope-player").paused); // and again
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.waitForFunction(() => !document.querySelector("zoetrope-player").paused); // the page had not paused it
});

test("off screen it stands still, and catches up in one go", async (t) => {
    const page = await open(t, `<zoetrope-player ${PET}></zoetrope-player><div style="height: 4000px"></div>`);
    await playing(page);
    await page.clock.runFor(1000);
    await page.evaluate(() => scrollTo(0, 3000));
    await page.waitForFunction(() => !document.querySelector("zoetrope-player").playing);
    await forget(page);
    const before = await ask(page, (one) => one.player.now);
    await page.clock.runFor(8000);
    assert.equal(await ask(page, (one) => one.player.now), before, "nothing is worked out meanwhile");
    await page.evaluate(() => scrollTo(0, 0));
    await playing(page);
    const [catchup, ...more] = await told(page, "catchup");
    assert.equal(more.length, 0);
    assert.ok(Math.abs(catchup.elapsed - 8000) < 50, `${catchup.elapsed} ms unseen`);
    assert.deepEqual(await told(page, "animation"), []);
});

for (const [what, source, begin] of [
    ["a pet", PET, (one) => one.status("success")],
    ["an enemy with particles", ENEMY, () => true],
    ["a character pack", PACK, () => true],
    ["a machine", `${ENGINE} params="speed=1" state="working"`, () => true],
]) {
    test(`ten minutes in a hidden tab: ${what} tells one thing and goes on`, async (t) => {
        const page = await open(t, `<zoetrope-player ${source}></zoetrope-player>`);
        await playing(page);
        await ask(page, begin);
        await page.clock.runFor(1200);
        const particles = await ask(page, (one) => one.player.particles().length);
        await show(page, false);
        await forget(page);
        const before = await ask(page, (one) => one.now);
        await page.clock.fastForward(600000);
        assert.deepEqual(await page.evaluate(() => window.told.length), 0, "nothing is told meanwhile");
        await show(page, true);
        const all = await page.evaluate(() => window.told);
        assert.deepEqual(all.map((one) => one.type), ["catchup"]);
        assert.ok(Math.abs(all[0].elapsed - 600000) < 100, `${all[0].elapsed} ms`);
        assert.ok(all[0].events < 40, `${all[0].events} events are not the ten minutes' own`);
        const after = await ask(page, (one) => ({ now: one.now, particles: one.player.particles().length }));
        assert.ok(Math.abs(after.now - before - 600000) < 100, "its clock is right");
        assert.ok(after.particles <= particles, `${after.particles} particles, and ${particles} before`);
        await playing(page);
        await page.clock.runFor(320);
        const next = await ask(page, (one) => one.now);
        assert.ok(next - after.now > 250 && next - after.now < 400, `then ${next - after.now} ms in 320`);
        if (what === "a pet") { assert.equal(await ask(page, (one) => one.currentState), "idle", "success has passed"); }
    });
}

test("a machine that slept is no reason for a burst either", async (t) => {
    const page = await open(t, `<zoetrope-player ${PET}></zoetrope-player>`);
    await playing(page);
    await page.clock.runFor(300);
    await forget(page);
    await page.clock.fastForward(3600000);
    await page.clock.runFor(100);
    const all = await page.evaluate(() => window.told);
    assert.deepEqual(all.map((one) => one.type).filter((type) => type === "catchup"), ["catchup"]);
    assert.ok(all.length < 10, `${all.length} things were told`);
});

test("what is asked while nobody sees it counts from then", async (t) => {
    const page = await open(t, `<zoetrope-player ${PET}></zoetrope-player>`);
    await playing(page);
    await page.clock.runFor(500);
    await show(page, false);
    await page.clock.fastForward(60000);
    await forget(page);
    await ask(page, (one) => one.status("waiting"));
    await page.clock.fastForward(60000);
    await show(page, true);
    assert.equal(await ask(page, (one) => one.currentState), "waiting");
    const events = await page.evaluate(() => window.told);
    assert.deepEqual(events.map((one) => one.type), ["catchup"]);
    assert.ok(events[0].events >= 1);
});

// ---------------------------------------------------------------- several, and none

test("several players share one module, and each has its own time", async (t) => {
    server.asked.length = 0;
    const page = await open(t, [PET, ENEMY, ENGINE, SLAM, PET].map((source, i) =>
        `<zoetrope-player id="p${i}" ${source} speed="${i + 1}"></zoetrope-player>`).join(""));
    assert.equal(server.asked.filter((path) => path.endsWith(".wasm")).length, 1);
    assert.equal(await page.evaluate(() => new Set([...document.querySelectorAll("zoetrope-player")].map((one) => one.program.core)).size), 1);
    for (let i = 0; i < 5; i++) { await playing(page, `#p${i}`); }
    const before = await page.$$eval("zoetrope-player", (all) => all.map((one) => one.now));
    await page.clock.runFor(320);
    const after = await page.$$eval("zoetrope-player", (all) => all.map((one) => one.now));
    after.forEach((now, i) => {
        const passed = (now - before[i]) / (i + 1);
        assert.ok(passed > 250 && passed < 400, `player ${i}: ${passed} ms`);
    });
});

test("a program of the page's own may be shared, and stays the page's", async (t) => {
    const page = await open(t, `<zoetrope-player id="a"></zoetrope-player><zoetrope-player id="b"></zoetrope-player>
        <script type="module">
            import { compile } from "/studio/packages/zoetrope/dist/index.js";
            window.program = await compile(new URL("/examples/petween/slam-land.json", location));
            a.program = window.program;
            b.program = window.program;
        </script>`, { ready: false });
    await page.waitForFunction(() => window.a.player && window.b.player);
    const result = await page.evaluate(async () => {
        const [a, b] = document.querySelectorAll("zoetrope-player");
        const same = a.program === b.program;
        a.remove();
        b.remove();
        await new Promise((done) => queueMicrotask(done));
        return [same, a.program, window.program.blob().length > 0];
    });
    assert.deepEqual(result, [true, null, true]);
});

test("a new src wins over one that is still loading", async (t) => {
    const slow = await serve({ delays: { "/examples/petween/peekaboo.json": 400 } });
    t.after(() => slow.close());
    const page = await open(t, `<zoetrope-player src="/examples/petween/peekaboo.json"></zoetrope-player>`, { at: slow, ready: false, clock: false });
    await page.waitForFunction(() => document.querySelector("zoetrope-player").hasAttribute("aria-busy"));
    const name = await ask(page, async (one) => {
        const first = one.ready;
        one.src = "/examples/petween/slam-land.json";
        return (await first).clips[0].name;
    });
    assert.equal(name, "user:slam-land", "whoever waited gets the one that counts");
    await new Promise((done) => setTimeout(done, 500));
    assert.equal(await ask(page, (one) => one.program.clips[0].name), "user:slam-land");
    assert.equal((await told(page, "ready")).length, 1);
    assert.equal((await told(page, "error")).length, 0);
});

test("removed it frees all, moved it keeps all, put back it plays again", async (t) => {
    const page = await open(t, `<zoetrope-player ${PET}></zoetrope-player><div id="other"></div>`);
    const result = await ask(page, async (one) => {
        const { player, program } = one;
        document.getElementById("other").append(one);
        await new Promise((done) => queueMicrotask(done));
        const kept = one.player === player;
        one.remove();
        await new Promise((done) => queueMicrotask(done));
        const gone = [one.player, one.program, one.stage, one.pictureSet];
        const freed = [() => player.now, () => program.blob()].map((call) => {
            try { call(); return "alive"; } catch { return "freed"; }
        });
        document.body.append(one);
        await one.ready;
        return { kept, gone, freed, again: one.currentState };
    });
    assert.deepEqual(result, { kept: true, gone: [null, null, null, null], freed: ["freed", "freed"], again: "idle" });
    await playing(page);
    const before = await ask(page, (one) => one.now);
    await page.clock.runFor(200);
    assert.ok(await ask(page, (one) => one.now) > before + 100);
});

test("a hundred that come and go leave no memory behind", async (t) => {
    const page = await open(t, `<div id="place"></div>`, { clock: false, ready: false });
    const sizes = await page.evaluate(async () => {
        await customElements.whenDefined("zoetrope-player");
        const found = [];
        for (let round = 0; round < 4; round++) {
            let core = null;
            for (let i = 0; i < 25; i++) {
                const one = document.createElement("zoetrope-player");
                one.renderer = "pixels";
                one.src = "/examples/petween/slam-land.json";
                document.getElementById("place").append(one);
                core = (await one.ready).core;
                one.remove();
                await Promise.resolve();
            }
            found.push(core.u8.length);
        }
        return found;
    });
    assert.equal(sizes[3], sizes[1], `bytes of the module after each 25: ${sizes}`);
});

// ---------------------------------------------------------------- the module

test("a server that calls the module something else does no harm", async (t) => {
    for (const type of ["text/plain", "application/octet-stream", ""]) {
        const odd = await serve({ types: { ".wasm": type } });
        t.after(() => odd.close());
        const page = await open(t, `<zoetrope-player ${SLAM}></zoetrope-player>`, { at: odd });
        assert.equal(await ask(page, (one) => one.program.clips[0].name), "user:slam-land", `as "${type}"`);
    }
});

test("a module that is a page of the server's is said", async (t) => {
    const odd = await serve({ pages: { "/studio/packages/zoetrope/dist/zoetrope.wasm": "<!doctype html><p>Sorry" } });
    t.after(() => odd.close());
    const page = await open(t, `<zoetrope-player ${SLAM}></zoetrope-player>`, { at: odd });
    assert.match((await told(page, "error"))[0].message, /no WebAssembly module.*web page/);
});
