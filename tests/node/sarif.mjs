// node sarif.mjs FOLDER LOG...: holds SARIF documents against the published schema, and what they say of places against
// the files, which are looked up in FOLDER: lines and columns (code points), bytes and rules must mean the same. Prints
// "N results, M fixes" for each; exit 1 when anything is wrong.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const Ajv = require("ajv-draft-04").default;
const addFormats = require("ajv-formats").default;
const schema = JSON.parse(readFileSync(fileURLToPath(new URL(
    "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json", import.meta.url)), "utf8"));
// One pattern of the schema has a bracket that only expressions without Unicode let stand.
const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
addFormats(ajv);
const validate = ajv.compile(schema);

const [folder, ...logs] = process.argv.slice(2);
if (!logs.length) {
    console.error("usage: node sarif.mjs FOLDER LOG...");
    process.exit(2);
}
let faults = 0;
function fault(log, text) {
    console.error(`${log}: ${text}`);
    faults++;
}

// UTF-8 offset of a line and column; a byte order mark stands before column 1.
function offsetOf(text, line, column) {
    const begins = [text.startsWith("\uFEFF") ? 1 : 0];
    for (const end of text.matchAll(/\r\n|\r|\n/g)) begins.push(end.index + end[0].length);
    const points = [...text.slice(begins[line - 1])].slice(0, column - 1).join("");
    return Buffer.byteLength(text.slice(0, begins[line - 1]) + points);
}

function checkPlace(log, place) {
    const uri = place.artifactLocation.uri;
    if (!/^([!$&-;=@A-Z_a-z~]|%[0-9A-F]{2})+$/.test(uri)) fault(log, `not a URI: ${uri}`);
    if (!place.region) return;
    const path = uri.startsWith("file://") ? decodeURIComponent(uri.slice(7)) : join(folder, decodeURIComponent(uri));
    const bytes = readFileSync(path);
    const { startLine, startColumn, endLine, endColumn, byteOffset, byteLength } = place.region;
    const text = bytes.toString("utf8");
    if (!Buffer.from(text).equals(bytes)) return; // not UTF-8: what cannot be decoded has no columns to agree on
    const begin = offsetOf(text, startLine, startColumn), end = offsetOf(text, endLine, endColumn);
    // Places within a mark, and behind the LF of the file's last line, have no column of their own.
    const marked = text.startsWith("\uFEFF") && byteOffset < 3;
    if (!marked && (begin !== byteOffset || end !== byteOffset + byteLength)) {
        fault(log, `${uri}:${startLine}:${startColumn}-${endLine}:${endColumn} is bytes ${begin}-${end}, not ` +
            `${byteOffset}-${byteOffset + byteLength}`);
    }
}

for (const log of logs) {
    const document = JSON.parse(readFileSync(log, "utf8"));
    if (!validate(document)) {
        for (const error of validate.errors.slice(0, 20)) fault(log, `${error.instancePath} ${error.message}`);
        continue;
    }
    if (document.runs.length !== 1) fault(log, "not one run");
    const run = document.runs[0], ids = run.tool.driver.rules.map(rule => rule.id);
    if (new Set(ids).size !== ids.length) fault(log, "a rule stands twice");
    let fixes = 0;
    for (const result of run.results) {
        if (ids[result.ruleIndex] !== result.ruleId) fault(log, `${result.ruleId} is not rule ${result.ruleIndex}`);
        for (const place of [...result.locations, ...(result.relatedLocations ?? [])]) {
            checkPlace(log, place.physicalLocation);
        }
        for (const fix of result.fixes ?? []) {
            fixes++;
            const region = fix.artifactChanges[0].replacements[0].deletedRegion, at = result.locations[0].physicalLocation;
            const key = "byteOffset" in region ? "byteOffset" : "startLine"; // the one form or the other, not both
            if (region[key] !== at.region[key]) fault(log, `a fix of ${result.ruleId} is elsewhere`);
            if (key === "byteOffset" && "startLine" in region) fault(log, `a fix of ${result.ruleId} has two places`);
        }
    }
    console.log(`${run.results.length} results, ${fixes} fixes`);
}
process.exit(faults ? 1 : 0);
