// Whether run.mjs can fail: what a program says and exits with must come through it, and one that traps must not pass.
// That the programs themselves find faults is shown natively (vectors_can_fail.sh), for they are the same sources.
// `node can_fail.mjs GOLDEN.wasm VECTORS.wasm FIXTURES.wasm`, from the root of the source tree.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [golden, vectors, fixtures] = process.argv.slice(2).map((path) => resolve(path));
const runner = fileURLToPath(new URL("run.mjs", import.meta.url));

function expect(code, stream, wanted, ...args) {
    expectIn(process.cwd(), code, stream, wanted, ...args);
}

function expectIn(cwd, code, stream, wanted, ...args) {
    const run = spawnSync(process.execPath, [runner, ...args], { cwd, encoding: "utf8" });
    const told = `${args.join(" ")} exits with ${run.status} and says\n${run.stdout}${run.stderr}`;
    assert.equal(run.status, code, told);
    assert.match(run[stream], wanted, told);
}

// Lines that are no hashes: every scene differs.
expect(1, "stdout", /^differs: \S+ [0-9a-f]{16}$/m, golden, "--check", "tests/golden/golden.h");
expect(2, "stdout", /^$/, golden, "--check", "tests/golden/no-such-file.txt");
// A folder of folders without cases, and one that is not there.
expect(3, "stderr", /there are no cases/, vectors, "tests/golden");
expect(3, "stderr", /not a folder that can be read/, vectors, "tests/no-such-folder");
// A folder in which no rule has its fixture.
expect(1, "stdout", /^[1-9]\d* rules, [1-9]\d* faults$/m, fixtures, "tests/golden");
// No program at all.
expect(1, "stderr", /ENOENT/, `${golden}.missing`);

// A tree with nothing in it: the program gives up, which is a trap.
const bare = mkdtempSync(join(tmpdir(), "zoetrope-"));
try {
    for (const path of ["tests/vectors", "tests/cases", "tests/diag", "tests/golden", "tests/clips", "examples"]) {
        mkdirSync(join(bare, path), { recursive: true });
    }
    expectIn(bare, 1, "stderr", /cannot be used[^]*unreachable/, golden);
} finally {
    rmSync(bare, { recursive: true });
}
