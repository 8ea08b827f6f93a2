// What the README says in HTML is opened as it stands, beside the examples.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { blocks } from "../blocks.js";
import { withBrowser } from "./browser.js";
import { serve } from "./serve.js";

const shared = withBrowser();
const found = blocks().filter(({ kind }) => kind === "page");
const PACKAGE = "/studio/packages/zoetrope/dist";
let server;

before(async () => {
    const map = { imports: { zoetrope: `${PACKAGE}/index.js`, "zoetrope/dom": `${PACKAGE}/dom.js` } };
    server = await serve({
        pages: Object.fromEntries(found.map(({ code }, i) => [`/readme-${i}.html`, `<!doctype html><html lang="en"><title>README</title>
            <link rel="icon" href="data:,"><script type="importmap">${JSON.stringify(map)}</script>
            ${code.replaceAll('"zoetrope/dist/', `"${PACKAGE}/`)}`])),
    });
});
after(async () => { await server?.close(); });

test("there are pages", () => assert.ok(found.length >= 2));

found.forEach(({ code, line }, i) => {
    test(`README.md:${line}`, async (t) => {
        // What a machine names is looked for in several places, and a page has no other way to look than to ask.
        const expect = code.includes("compile(new URL") ? [/^404 .*\/examples\//, /status of 404/] : [];
        const page = await shared.open(t, `${server.url}/readme-${i}.html`, { expect });
        if (code.includes("<zoetrope-player")) {
            await page.waitForFunction(() => document.querySelector("zoetrope-player").now > 0);
        }
        if (code.includes("<canvas")) {
            await page.waitForFunction(() => {
                const canvas = document.querySelector("canvas");
                const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
                copy.drawImage(canvas, 0, 0);
                return copy.getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte > 0);
            });
        }
    });
});
