// node trace.mjs trace|script FILE...: holds what zoetrope trace prints, line by line, or scripts against our schemas.
// Prints "N lines" for each trace; exit 1 when anything is wrong.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const Ajv = require("ajv/dist/2020").default;
const [what, ...files] = process.argv.slice(2);
if (!["trace", "script"].includes(what) || !files.length) {
    console.error("usage: node trace.mjs trace|script FILE...");
    process.exit(2);
}
const path = fileURLToPath(new URL(`../../schemas/${what}.schema.json`, import.meta.url));
const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
const validate = ajv.compile(JSON.parse(readFileSync(path, "utf8")));
let faults = 0;
function hold(place, value) {
    if (validate(value)) return;
    for (const error of validate.errors.slice(0, 5)) console.error(`${place}: ${error.instancePath} ${error.message}`);
    faults++;
}
for (const file of files) {
    const text = readFileSync(file, "utf8");
    if (what === "script") {
        hold(file, JSON.parse(text));
        continue;
    }
    const lines = text.split("\n");
    if (lines.pop() !== "") hold(file, "a line without an end");
    lines.forEach((line, i) => hold(`${file}:${i + 1}`, JSON.parse(line)));
    console.log(`${lines.length} lines`);
}
process.exit(faults ? 1 : 0);
