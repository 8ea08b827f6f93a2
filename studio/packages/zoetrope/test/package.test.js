// The package as others get it: packed, judged by publint and attw, installed into an empty project, run in Node, and
// built into a page by Vite (test/browser/package.test.js opens that).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const modules = fileURLToPath(new URL("../../../node_modules/", import.meta.url));
let folder, tarball;

const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

before(() => {
    folder = mkdtempSync(join(tmpdir(), "zoetrope-package-"));
    const [told] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], here));
    tarball = join(folder, told.filename);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("what is packed is what is wanted, and nothing else", () => {
    const names = run("tar", ["-tzf", tarball]).split("\n").filter(Boolean).map((name) => name.replace(/^package\//, ""));
    const own = ["package.json", "README.md", "LICENSE"];
    for (const name of ["package.json", "dist/index.js", "dist/element.js", "dist/dom.js", "dist/zoetrope.wasm", "dist/LICENSES.txt",
        "dist/index.d.ts", "dist/element.d.ts", "dist/dom.d.ts", "README.md"]) {
        assert.ok(names.includes(name), `${name} is missing`);
    }
    for (const name of names) { assert.ok(own.includes(name) || name.startsWith("dist/"), `${name} is none of it`); }
    const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
    assert.equal(manifest.dependencies, undefined, "it has no dependencies");
});

test("publint has nothing to say", async () => {
    const { publint } = await import("publint");
    const { messages } = await publint({ pkgDir: here, strict: true });
    assert.deepEqual(messages, []);
});

test("attw has nothing to say", () => {
    const out = run(process.execPath, [join(modules, "@arethetypeswrong/cli/dist/index.js"), tarball, "--profile", "esm-only",
        "--no-color", "--no-emoji", "--exclude-entrypoints", "./zoetrope.wasm"], folder); // which is no module
    assert.match(out, /zoetrope v0\.1\.0/); // it ends with another code than 0 where there is a problem
});

test("installed into an empty project it works in Node", () => {
    const project = mkdtempSync(join(folder, "node-"));
    writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
    run("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball], project);
    writeFileSync(join(project, "play.js"), `
        import { compile, Player } from "zoetrope";
        import { animations } from "zoetrope/dom";
        const program = await compile("builtin:jelly");
        const player = new Player(program, { idle: true });
        player.start("builtin:jelly");
        console.log(player.advance(1000).map((e) => e.kind).join(" "), typeof animations, import.meta.resolve?.("zoetrope/zoetrope.wasm") !== "");
    `);
    assert.equal(run(process.execPath, ["play.js"], project).trim(), "run-start show-cel run-end function true");
    // Where there is no DOM the element is said to be nothing, not thrown about.
    writeFileSync(join(project, "element.js"), 'import "zoetrope/element"; console.log("fine");');
    assert.equal(run(process.execPath, ["element.js"], project).trim(), "fine");
});
