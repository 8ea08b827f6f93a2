// forge.mjs ZOETROPE: the schemas of Forge's files and of models as text. What the reader takes ajv takes by the schema:
// the vectors, the fixtures, and sound documents with any one value changed or left out; and of what the reader refuses
// each rule is either always seen by the schema or one of those that only the reader sees. Exit 0: all is well.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [zoetrope] = process.argv.slice(2);
if (zoetrope === undefined) {
  console.error("usage: forge.mjs ZOETROPE");
  process.exit(2);
}
if (!existsSync(here("../node/node_modules/ajv"))) {
  console.error("tests/node/node_modules is not there: run tools/setup test");
  process.exit(3);
}
const Ajv = createRequire(here("../node/package.json"))("ajv/dist/2020.js").default;

const program = resolve(zoetrope);

let faults = 0;
const fault = (text) => {
  faults++;
  console.error(`failed: ${text}`);
};
const said = (...words) => fault(`ajv says: ${words.join(" ")}`);
const logger = { log: said, warn: said, error: said };

const schemas = {};
for (const format of ["forge-machine", "forge-draft-machine", "forge-armature", "forge-draft-animation", "forge-model",
  "b3d-source"]) {
  const ajv = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true, logger });
  schemas[format] = ajv.compile(JSON.parse(execFileSync(program, ["schema", format]).toString()));
}

// ------------------------------------------------------------------------------------- what only the reader can see

const beyond = new Set([
  // between members, or inside of texts
  "unknown-start-state", "state-without-clip", "duplicate-state", "transition-to-unknown-state",
  "transition-from-unknown-state", "unresolved-clip",
  "reference-cycle", "bad-reference", "bad-model-clip", "event-transition-not-allowed", "event-transition-unknown-state",
  "duplicate-variable", "one-sample-linear-no-loop", "bad-element-index", "bad-event-time", "clip-and-child",
  "bad-transition-key", "times-samples-mismatch", "times-not-ascending", "unknown-joint", "duplicate-name",
  "coordinate-out-of-range", "unknown-face", "bad-rotation-angle", "bad-face-rotation", "count-not-positive",
  "length-not-positive", "time-negative",
  // of parameters and clips, which are trees of arrays
  "unknown-parameter-kind", "missing-operand", "wrong-arity", "unknown-clip-kind", "event-not-string",
  "reference", // of models as text
]);

// What it sees of a shape and the tables cannot say: the insides of parameters and clips, which members belong together
// where one or the other is wanted, and what a text is that stands where a number is wanted.
const tree = { "forge-machine": /^\/(parameters|clips)\/[^/]+\/./,
  "forge-draft-machine": /^\/clips\/.*\/(time|progress)(\/|$)/ };
const reached = (value, pointer) => pointer.split("/").slice(1).reduce(
  (at, key) => at?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], value);
const expressible = (format, value, { rule, pointer, message }) => {
  if (beyond.has(rule) || tree[format]?.test(pointer)) return false;
  const either = /^(\/clips\/[^/]+(\/0)?)?$/; // animation or model, child or a lerp
  if (format === "forge-draft-machine" && rule === "missing-key" && either.test(pointer)) {
    return pointer === "" && !message.includes("animation");
  }
  return !(rule === "wrong-type" && message.includes("a number") && typeof reached(value, pointer) === "string");
};

const verdicts = { taken: 0, refused: 0, beyond: 0 };
const seen = new Set();
// errors: { rule, pointer, message }, none when the reader takes it.
const hold = (name, format, value, errors) => {
  const takes = schemas[format](value);
  const rules = errors.map(({ rule }) => rule).join();
  if (errors.length === 0) {
    verdicts.taken++;
    if (!takes) fault(`${name}: the schema refuses it: ${JSON.stringify(schemas[format].errors?.[0])}`);
  } else if (errors.some((error) => expressible(format, value, error))) {
    verdicts.refused++;
    if (takes) fault(`${name}: the schema takes it, in spite of ${rules}`);
  } else {
    verdicts.beyond++;
    if (takes) seen.add(rules);
  }
};

// Files as the reader sees them: the errors of each.
const folder = mkdtempSync(join(tmpdir(), "zoetrope-schema-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const check = (format, texts) => {
  const files = texts.map((text, i) => {
    writeFileSync(join(folder, `${format}-${i}.json`), text);
    return `${format}-${i}.json`;
  });
  let out;
  try {
    out = execFileSync(program, ["check", "--output", "json", "--format", format, ...files],
      { cwd: folder, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (error.status !== 1) throw error;
    out = error.stdout;
  }
  const errors = new Map(files.map((file) => [file, []]));
  for (const { severity, id, file, pointer, message } of JSON.parse(out).diagnostics) {
    const lone = id === "forge/unresolved-file"; // what a draft names is not there, which is no fault of its own
    if (severity === "error" && !lone) errors.get(file)?.push({ rule: id.slice(id.indexOf("/") + 1), pointer: pointer ?? "", message });
  }
  return files.map((file) => errors.get(file));
};

// ------------------------------------------------------------------------------------------------------- the vectors

const formats = { asm: "forge-machine", armature: "forge-armature", model: "forge-model",
  draft_machine: "forge-draft-machine", draft_animation: "forge-draft-animation" };
const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // comments and the like
  }
};
const cases = JSON.parse(readFileSync(here("../vectors/forge/validate.json")));
for (const [kind, format] of Object.entries(formats)) {
  const own = cases.filter((one) => one.kind === kind && parse(one.text) !== undefined);
  const found = check(format, own.map(({ text }) => text));
  own.forEach(({ name, text }, i) => hold(name, format, parse(text), found[i]));
}

// --------------------------------------------------------------------------------- documents with one thing changed

const track = { joint: "j", parameter: "y", type: "samples", interpolation: "linear", times: [0, 0.5], samples: [0, 1] };
const whole = {
  "forge-machine": { parameters: { p: ["-*", 1, "#identity"], q: 2 }, clips: { a: "#identity",
    b: ["trigger_positive", "#a", "#p", "x"] }, states: ["a", "b"], transitions: { a: "b", b: ["a"] }, start_state: "a" },
  "forge-draft-machine": { animation: "a:b", clips: { a: [{ child: "main", time: { rate: 2, count: 1 } }],
    b: { type: "lerp", from: "a", to: "main", progress: { type: "linear", weight: 1, offset: 0 } } }, states: ["a", "b"],
    transitions: { "a -> b": { type: "lerp", time: 1 }, "b -> a": { type: "instant" } } },
  "forge-armature": { joints: { j: { 0: [1] } }, clips: { c: { loop: true, joint_clips: { j: [{ variable: "angle",
    type: "uniform", interpolation: "linear", samples: [0, 90] }] }, events: { 0.5: "x" } } } },
  "forge-model": { ambientocclusion: true, textures: { t: "a:b" }, elements: [{ from: [0, 0, 0], to: [16, 8, 16],
    rotation: { origin: [8, 8, 8], axis: "y", angle: 45, rescale: true }, shade: false,
    faces: { up: { uv: [0, 0, 16, 16], texture: "#t", cullface: "up", rotation: 90, tintindex: 1 } } }] },
  "forge-draft-animation": { model: "a:b", joints: [{ name: "j", weights: { 0: [0, 0, 1, 1, 0, 0, 1, 1] } }],
    clips: [{ name: "c", tracks: [track], loop: true }] },
  "b3d-source": { schemaVersion: 1, type: "b3dSource", textures: [{ file: "a.png" }], brushes: [{ name: "b",
    textures: [0] }], nodes: [{ name: "n" }] },
};
const others = [null, true, -1, 1.5, "zzz", "", [], {}, [null], [true], ["zzz"], { zzz: null }];
const copy = (value) => JSON.parse(JSON.stringify(value));

// Every place of a document: how to change it, and what it is called.
const places = (value, path = []) => (value === null || typeof value !== "object" ? [] :
  Object.keys(value).flatMap((key) => [[...path, key], ...places(value[key], [...path, key])]));
const variants = (document) => places(document).flatMap((path) => {
  const change = (how) => {
    const changed = copy(document);
    const parent = path.slice(0, -1).reduce((at, key) => at[key], changed);
    how(parent, path.at(-1));
    return [`/${path.join("/")}`, changed];
  };
  const without = change((at, key) => (Array.isArray(at) ? at.splice(Number(key), 1) : delete at[key]));
  return [without, ...others.map((other) => change((at, key) => { at[key] = other; }))];
});

for (const [format, document] of Object.entries(whole)) {
  const all = [["", document], ...variants(document)];
  const errors = check(format, all.map(([, value]) => JSON.stringify(value)));
  if (errors[0].length > 0) fault(`${format}: the whole document is refused: ${JSON.stringify(errors[0])}`);
  all.forEach(([path, value], i) => hold(`${format} ${path} ${JSON.stringify(value)}`, format, value, errors[i]));
}

// ------------------------------------------------------------------------------------------------------ the fixtures

for (const file of readdirSync(here("../diag/forge")).filter((name) => name.endsWith(".json"))) {
  const format = file.split(".").find((part) => schemas[part] !== undefined);
  const value = parse(readFileSync(here(`../diag/forge/${file}`)).toString());
  const told = readFileSync(here(`../diag/forge/${file.replace(/json$/, "txt")}`)).toString();
  if (format === undefined || value === undefined) continue;
  if (!told.includes(" error[")) hold(file, format, value, []);
}

if (verdicts.taken < 100 || verdicts.refused < 100 || seen.size < 15) fault("there are too few cases of some kind");
console.log(`${verdicts.taken} taken, ${verdicts.refused} refused, ${verdicts.beyond} by rules that only the reader sees`);
process.exitCode = faults > 0 ? 1 : 0;
