// What the README says in JavaScript is run, and prints what it says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { blocks } from "./blocks.js";

let folder;
before(() => {
    folder = mkdtempSync(join(tmpdir(), "zoetrope-readme-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(fileURLToPath(new URL("..", import.meta.url)), join(folder, "node_modules/zoetrope"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
});
after(() => rmSync(folder, { recursive: true, force: true }));

const runs = blocks().filter(({ kind }) => kind === "run");
test("there are examples", () => assert.ok(runs.length >= 6));

for (const { code, output, line } of runs) {
    test(`README.md:${line}`, () => {
        writeFileSync(join(folder, "example.js"), code);
        const printed = execFileSync(process.execPath, ["example.js"], { cwd: folder, encoding: "utf8" });
        assert.notEqual(output, null, "it says what it prints");
        assert.equal(printed.trimEnd(), output.trimEnd());
    });
}
