// Makes dist/, which is the package: the sources as they are, with the unpackers of textures put into the file that
// needs them, and the module. `node build.js [zoetrope.wasm]`; without an argument the one of the preset wasm.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "src"), target = join(here, "dist");
const module = process.argv[2] ?? join(here, "../../../build/wasm/studio/zoetrope.wasm");

rmSync(target, { recursive: true, force: true });
mkdirSync(target);
for (const name of readdirSync(source)) {
    if (name !== "inflate.js") { copyFileSync(join(source, name), join(target, name)); }
}
await build({
    entryPoints: [join(source, "inflate.js")],
    outfile: join(target, "inflate.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    legalComments: "inline",
});
copyFileSync(module, join(target, "zoetrope.wasm"));

// Both are under the MIT licence, which asks that it comes with every copy.
const notices = ["fzstd", "fflate"].map((name) => {
    const folder = join(here, "../../node_modules", name); // not by name: their exports hide the file
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `${name} ${version}, in inflate.js:\n\n${readFileSync(join(folder, "LICENSE"), "utf8")}`;
});
const own = readFileSync(join(here, "../../../LICENSE"), "utf8");
writeFileSync(join(target, "LICENSES.txt"), [own, ...notices].join("\n----\n\n"));
