// The package in a page that Vite has built: what is installed from the tarball finds its module there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { withBrowser } from "./browser.js";
import { serve } from "./serve.js";

const here = fileURLToPath(new URL("../..", import.meta.url));
const example = fileURLToPath(new URL("../../../../../examples/petween/slam-land.json", import.meta.url));
const shared = withBrowser();
let folder, server;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), "zoetrope-vite-"));
    const [told] = JSON.parse(execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder],
        { cwd: here, encoding: "utf8" }));
    execFileSync("tar", ["-xzf", join(folder, told.filename), "-C", folder]);
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(folder, "package"), join(folder, "node_modules/zoetrope"));
    mkdirSync(join(folder, "public"));
    cpSync(example, join(folder, "public/slam-land.json"));
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    writeFileSync(join(folder, "index.html"), `<!doctype html><html lang="en"><title>Vite</title><link rel="icon" href="data:,">
        <zoetrope-player src="slam-land.json" style="width: 200px"></zoetrope-player><script type="module" src="/main.js"></script></html>`);
    writeFileSync(join(folder, "main.js"), `import "zoetrope/element"; import { check } from "zoetrope";
        globalThis.report = check("{", { name: "x.json" });`);
    await build({ root: folder, logLevel: "error", base: "./" });
    server = await serve({ root: join(folder, "dist") });
});
after(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
});

test("a page built by Vite plays", async (t) => {
    const page = await shared.open(t, new URL("index.html", server.url ?? server.origin).href);
    await page.waitForFunction(() => document.querySelector("zoetrope-player").now > 0);
    assert.equal(await page.evaluate(async () => (await globalThis.report).ok), false);
    assert.equal(await page.evaluate(() => document.querySelector("zoetrope-player").program.format), "petween");
});
