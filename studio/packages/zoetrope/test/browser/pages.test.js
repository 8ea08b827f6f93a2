// The pages of examples/web in Chromium: each plays, does what its controls say, and looks as it did, by day, by night
// and on a phone. `ZO_GOLDEN=write` takes the pictures anew.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { withBrowser } from "./browser.js";
import { serve } from "./serve.js";

const browser = withBrowser();
let server;
before(async () => { server = await serve(); });
after(async () => { await server.close(); });

const url = (page) => `${server.url}/examples/web/${page}`;
// One font, wherever the tests run.
const FONT = `* { font-family: "DejaVu Sans" !important; } pre, code, output, .figure, .figure * { font-family: "DejaVu Sans Mono" !important; }`;
const LOOKS = {
    light: { colorScheme: "light", viewport: { width: 1200, height: 800 } },
    dark: { colorScheme: "dark", viewport: { width: 1200, height: 800 } },
    phone: { colorScheme: "light", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
const PAGES = {
    index: "index.html?t=600",
    petween: "petween.html?t=420",
    enemy: "enemy.html?t=1250#attack",
    charpack: "charpack.html?t=1500",
    forge: "forge.html?t=900",
    "desktop-pet": "desktop-pet.html?t=420",
    crowd: "crowd.html?t=900",
};

// All players of the page are drawn at their time, and nothing moves any more.
async function still(page) {
    await page.waitForFunction(() => document.documentElement.dataset.still !== undefined ||
        (document.querySelector("zoetrope-player") !== null &&
        [...document.querySelectorAll("zoetrope-player")].every((one) => one.stage && one.now > 0)));
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

for (const [name, address] of Object.entries(PAGES)) {
    for (const [look, options] of Object.entries(LOOKS)) {
        test(`${name}, ${look}: looks as it did`, async (t) => {
            const page = await browser.open(t, url(address), options);
            await page.addStyleTag({ content: FONT });
            await still(page);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wide <= 0, `it is ${wide} px wider than the window`);
            await browser.golden(await page.screenshot({ fullPage: true, animations: "disabled" }), `${name}-${look}`, { scale: 0.5 });
        });
    }
}

// What the players show, to the pixel and not by the page's look.
for (const [name, addresses] of Object.entries({
    petween: ["petween.html?t=420", "petween.html?t=160#slam-land", "petween.html?t=1100#peekaboo"],
    enemy: ["enemy.html?t=2700", "enemy.html?t=620#hop"],
    charpack: ["charpack.html?t=1500", "charpack.html?t=100#minimal"],
    forge: ["forge.html?t=900#engine", "forge.html?t=500#chest", "forge.html?t=1500#owl"],
})) {
    test(`${name}: each example shows what it did`, async (t) => {
        for (const address of addresses) {
            const page = await browser.open(t, url(address), LOOKS.light);
            await still(page);
            await page.addStyleTag({ content: ".stage { background: #fff !important; }" });
            const id = address.split("#")[1] ?? "first";
            await browser.golden(await page.locator(".stage").screenshot(), `shown-${name}-${id}`, { scale: 0.5, depth: 24 });
        }
    });
}

const player = (page, what, argument) => page.$eval("zoetrope-player", what, argument);
const log = (page) => page.$$eval("#log li", (lines) => lines.map((line) => line.textContent));

async function plays(page) {
    await page.waitForFunction(() => [...document.querySelectorAll("zoetrope-player")].every((one) => one.now > 0));
}

test("index: all of its players play", async (t) => {
    const page = await browser.open(t, url("index.html"));
    await page.waitForFunction(() => [...document.querySelectorAll("zoetrope-player")].filter((one) => one.now > 0).length >= 3);
    assert.equal(await page.locator(".shelf a").count(), 6);
});

test("petween: states, what one is at, clips, parameters, a click, the log", async (t) => {
    const page = await browser.open(t, url("petween.html"));
    await plays(page);
    await page.locator("#states").getByRole("button", { name: "success" }).click();
    await page.waitForFunction(() => document.querySelector("zoetrope-player").currentState === "success");
    await page.waitForSelector("#states [aria-pressed=true]:text-is('success')");
    assert.ok((await log(page)).some((line) => /state.*success/.test(line)));
    await page.locator("#status").getByRole("button", { name: "turn start" }).click();
    await page.waitForFunction(() => document.querySelector("zoetrope-player").currentState === "thinking");
    await page.locator("#param-strength").fill("1.5");
    assert.equal(await player(page, (one) => one.get("strength")), 1.5);
    await page.locator("#clips").getByRole("button", { name: "Jelly" }).click();
    await page.waitForFunction(() => [...document.querySelectorAll("#log li")].some((line) => /run-start.*jelly/.test(line.textContent)));
    await page.locator("#examples").getByRole("button", { name: "Slam land" }).click();
    await page.waitForFunction(() => document.querySelector("zoetrope-player").program?.clips[0].name === "user:slam-land");
    await page.waitForSelector("section:has(#states)", { state: "hidden" }); // it has no states
    assert.match(page.url(), /#slam-land$/);
    assert.match(await page.locator("#markup").textContent(), /slam-land\.json/);
});

test("speed, pause, the drum, and from the beginning", async (t) => {
    const page = await browser.open(t, url("enemy.html"));
    await plays(page);
    await page.getByRole("button", { name: "0.5×" }).click();
    assert.equal(await player(page, (one) => one.speed), 0.5);
    await page.getByRole("button", { name: "Pause" }).click();
    assert.equal(await player(page, (one) => one.paused), true);
    const drum = page.locator("#drum input");
    await drum.focus();
    await drum.fill("0.25");
    assert.equal(await player(page, (one) => one.now), 2500);
    const there = await player(page, (one) => one.player.particles().length);
    await drum.fill("0.5");
    await drum.fill("0.25");
    assert.equal(await player(page, (one) => one.player.particles().length), there, "particles stand again where they stood");
    await page.getByRole("button", { name: "From the beginning" }).click();
    await page.waitForFunction(() => document.querySelector("zoetrope-player").playing);
    assert.ok(await player(page, (one) => one.now) < 1000);
});

test("charpack: a trigger leads along the graph, and the mouth follows the voice", async (t) => {
    const page = await browser.open(t, url("charpack.html"));
    await plays(page);
    await page.locator("#states").getByRole("button", { name: "wave" }).click();
    await page.waitForFunction(() => document.querySelector("zoetrope-player").currentState === "wave");
    await page.getByLabel("Somebody speaks").check();
    await page.getByLabel("How loud").fill("0.5");
    assert.deepEqual(await player(page, (one) => [one.player.state.speaking, one.player.state.mouth]), [true, 0.5]);
});

test("forge: a state is asked for, one that no way leads to is refused, a control is set", async (t) => {
    const page = await browser.open(t, url("forge.html#owl"));
    await plays(page);
    await page.locator("#states").getByRole("button", { name: "awake" }).click();
    assert.ok((await log(page)).some((line) => /error.*no way leads/.test(line)));
    await page.locator("#states").getByRole("button", { name: "waking" }).click();
    await page.waitForFunction(() => document.querySelector("zoetrope-player").currentState === "waking");
    await page.locator("#examples").getByRole("button", { name: "Engine" }).click();
    await page.waitForFunction(() => document.querySelector("zoetrope-player").currentState === "working");
    await page.locator("#param-speed").fill("1.5");
    assert.equal(await player(page, (one) => one.get("speed")), 1.5);
});

test("desktop pet: it can be poked, picked up and dropped, and minds the page", async (t) => {
    const page = await browser.open(t, url("desktop-pet.html"));
    await plays(page);
    await page.getByRole("button", { name: "Let her wander" }).click();
    const box = () => page.locator("#pet").boundingBox();
    const clips = () => player(page, (one) => one.player.runs.map((run) => run.clip));
    await page.waitForTimeout(900); // the way in is over
    const floor = await box();
    await page.mouse.click(floor.x + floor.width / 2, floor.y + floor.height / 2);
    assert.ok((await clips()).includes("user:peekaboo"), "a click is a poke");
    await page.mouse.move(floor.x + floor.width / 2, floor.y + floor.height / 2);
    await page.mouse.down();
    await page.mouse.move(500, 300, { steps: 5 });
    await page.waitForFunction(() => document.getElementById("pet").getBoundingClientRect().y < 300);
    const held = await box();
    assert.ok(held.y < floor.y - 100 && Math.abs(held.x + held.width / 2 - 500) < 60, "it goes with the pointer");
    await page.mouse.up();
    await page.waitForFunction((y) => Math.abs(document.getElementById("pet").getBoundingClientRect().y - y) < 2, floor.y);
    assert.ok((await clips()).includes("user:slam-land"), "it lands");
    await page.getByRole("button", { name: "Working" }).click();
    await page.waitForFunction(() => document.getElementById("mood").textContent === "She works.");
    await page.getByLabel("Light the lamp").check();
    await page.waitForFunction(() => document.getElementById("mood").textContent === "She is delighted.");
});

test("desktop pet: it wanders, and stays where it is for those who want less motion", async (t) => {
    const place = (page) => page.locator("#pet").boundingBox().then((box) => box.x);
    const page = await browser.open(t, url("desktop-pet.html"));
    await plays(page);
    const before = await place(page);
    await page.waitForFunction((x) => Math.abs(document.getElementById("pet").getBoundingClientRect().x - x) > 20, before);
    const calm = await browser.open(t, url("desktop-pet.html"), { reducedMotion: "reduce" });
    await calm.waitForFunction(() => document.getElementById("pet").player !== null);
    const stands = await place(calm);
    await calm.waitForTimeout(2500);
    assert.equal(await place(calm), stands);
});

test("crowd: as many play as are asked for, and the time of a frame is shown", async (t) => {
    // In software, which paints a thousand in seconds; test/crowd.test.js holds what is ours of a frame against a limit.
    const page = await browser.open(t, url("crowd.html?renderer=webgl&n=100"), { viewport: { width: 420, height: 300 } });
    await page.waitForSelector("#count:text-is('100')");
    await page.waitForFunction(() => Number(document.getElementById("work").textContent) > 0, null, { timeout: 60000 });
    assert.ok(Number(await page.locator("#work").textContent()) < 100);
});
