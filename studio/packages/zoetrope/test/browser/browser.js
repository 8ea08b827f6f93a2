// What the tests in a browser share: one Chromium for a file, pages whose console must be silent, and pictures held
// against goldens. `ZO_GOLDEN=write` writes the goldens anew; look at them before they are committed.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const PATHS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const GOLDENS = fileURLToPath(new URL("goldens/", import.meta.url));
// What the browser says of its own: software WebGL is slow, and says so.
const NOISE = [/GPU stall due to ReadPixels/, /Automatic fallback to software WebGL/, /GroupMarkerNotSet/];

async function launch() {
    const named = process.env.ZO_CHROMIUM;
    let failure = null;
    for (const executablePath of named ? [named] : PATHS) {
        try {
            return await chromium.launch({ executablePath, chromiumSandbox: false, args: ["--disable-dev-shm-usage"] });
        } catch (error) {
            failure ??= error;
        }
    }
    throw failure;
}

/** Launches before the tests of a file and closes after them. */
export function withBrowser() {
    const shared = { browser: null, judge: null };
    before(async () => { shared.browser = await launch(); });
    after(async () => { await shared.browser?.close(); });

    /**
     * A page of its own context; `t.after` closes it, and fails the test if the console was not silent.
     * @param {import("node:test").TestContext} t
     * @param {string} url
     * @param {object} [options] of the context, and `expect`: patterns of messages that are meant to come;
     *     `prepare(page)` is called before it goes there
     */
    shared.open = async (t, url, { expect = [], prepare, ...options } = {}) => {
        const context = await shared.browser.newContext({
            viewport: { width: 1200, height: 800 }, deviceScaleFactor: 1, ...options,
        });
        const page = await context.newPage();
        page.setDefaultTimeout(45000); // machines that run tests are slow and shared
        const problems = [];
        page.on("console", (message) => {
            if (["error", "warning"].includes(message.type())) { problems.push(`${message.type()}: ${message.text()}`); }
        });
        page.on("pageerror", (error) => problems.push(`uncaught: ${error.stack ?? error}`));
        page.on("response", (response) => {
            if (response.status() >= 400) { problems.push(`${response.status()} ${response.url()}`); }
        });
        t.after(async () => {
            await context.close();
            const loud = problems.filter((text) => ![...NOISE, ...expect].some((known) => known.test(text)));
            assert.deepEqual(loud, [], "the console was to be silent");
        });
        await prepare?.(page);
        await page.goto(url);
        return page;
    };

    /**
     * A picture held against goldens/NAME.png. A pixel differs where a channel is more than `depth` away; at most
     * `share` of them may, for edges of letters and of shapes are drawn slightly differently elsewhere.
     * @param {Buffer} png
     * @param {string} name
     */
    shared.golden = async (png, name, { scale = 1, depth = 40, share = 0.004 } = {}) => {
        shared.judge ??= await (await shared.browser.newContext()).newPage();
        const path = `${GOLDENS}${name}.png`;
        const shrunk = scale === 1 ? png : Buffer.from(await shared.judge.evaluate(shrink, [png.toString("base64"), scale]),
            "base64");
        if (process.env.ZO_GOLDEN === "write") {
            await mkdir(dirname(path), { recursive: true });
            await writeFile(path, shrunk);
            return;
        }
        const golden = await readFile(path);
        const found = await shared.judge.evaluate(differ, [golden.toString("base64"), shrunk.toString("base64"), depth]);
        if (found.size !== null || found.share > share) {
            const kept = `${GOLDENS}../failed/${name}.png`;
            await mkdir(dirname(kept), { recursive: true });
            await writeFile(kept, shrunk);
            assert.fail(found.size ?? `${name}: ${(found.share * 100).toFixed(2)} % of the pixels differ, most at ` +
                `${found.at}; what was seen is in ${kept}`);
        }
    };
    return shared;
}

/* global createImageBitmap, OffscreenCanvas, FileReader -- what follows runs in the page */

async function shrink([base64, scale]) {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const width = Math.round(image.width * scale), height = Math.round(image.height * scale);
    const small = await createImageBitmap(image, { resizeWidth: width, resizeHeight: height, resizeQuality: "high" });
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext("2d").drawImage(small, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/png" });
    return new Promise((done) => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result.split(",")[1]);
        reader.readAsDataURL(blob);
    });
}

async function differ([first, second, depth]) {
    const [a, b] = await Promise.all([first, second].map(async (base64) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d", { willReadFrequently: true });
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
    }));
    if (a.width !== b.width || a.height !== b.height) {
        return { size: `the golden is ${a.width}x${a.height}, this is ${b.width}x${b.height}`, share: 1 };
    }
    let count = 0, worst = 0, at = "";
    for (let i = 0; i < a.data.length; i += 4) {
        let most = 0;
        for (let c = 0; c < 4; c++) { most = Math.max(most, Math.abs(a.data[i + c] - b.data[i + c])); }
        if (most > depth) { count++; }
        if (most > worst) { worst = most; at = `${(i / 4) % a.width},${Math.floor(i / 4 / a.width)}`; }
    }
    return { size: null, share: count / (a.width * a.height), at };
}
