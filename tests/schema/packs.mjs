// packs.mjs ZOETROPE [--write]: the schemas of character packs. The three files in schemas/character-pack-v1 are what
// `zoetrope schema` prints, byte for byte (--write makes them so), and ajv judges the files of whole packs by them as
// the vectors say: validate.json, and the packs on disk. Exit 0: all is well.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [zoetrope, option] = process.argv.slice(2);
if (zoetrope === undefined || ![undefined, "--write"].includes(option)) {
  console.error("usage: packs.mjs ZOETROPE [--write]");
  process.exit(2);
}
if (!existsSync(here("../node/node_modules/ajv"))) {
  console.error("tests/node/node_modules is not there: run tools/setup test");
  process.exit(3);
}
const Ajv = createRequire(here("../node/package.json"))("ajv/dist/2020.js").default;

let faults = 0;
const fault = (text) => {
  faults++;
  console.error(`failed: ${text}`);
};

// ---------------------------------------------------------------------------------------- the files are the schemas

// Not strict about numbers: the validator that was recorded takes 1e999 for one.
const said = (...words) => fault(`ajv says: ${words.join(" ")}`);
const logger = { log: said, warn: said, error: said };
const schemas = {};
for (const name of ["runtime_manifest", "graph_config", "mouth_config"]) {
  const path = here(`../../schemas/character-pack-v1/${name}.schema.json`);
  const printed = execFileSync(zoetrope, ["schema", `character-pack-v1/${name}`]);
  if (option === "--write") writeFileSync(path, printed);
  else if (!existsSync(path) || !readFileSync(path).equals(printed)) {
    fault(`schemas/character-pack-v1/${name}.schema.json is out of date: packs.mjs --write`);
  }
  const ajv = new Ajv({ strict: true, strictRequired: false, strictNumbers: false, logger });
  schemas[name] = ajv.compile(JSON.parse(printed.toString()));
}

// ---------------------------------------------------------------------------------------------- packs as the vectors

const decode = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
const parse = (bytes) => {
  try {
    return bytes === null ? undefined : JSON.parse(decode(bytes));
  } catch {
    return undefined;
  }
};

// Where the manifest says that a file is; null: nowhere.
const beside = (path) => {
  if (typeof path !== "string") return null;
  return path.trim().replaceAll("\\", "/").split("/").filter((part) => !["", "."].includes(part)).join("/");
};

// read: the bytes of a file of the pack, or null. A file that is not there, or not JSON, is as no schema wants it.
const judge = (read) => {
  const manifest = parse(read("runtime_manifest.json"));
  const takes = (name, value) => value !== undefined && schemas[name](value);
  const file = (path) => parse(path === null ? null : read(path));
  return takes("runtime_manifest", manifest) && takes("graph_config", file(beside(manifest.graph))) &&
    takes("mouth_config", file(beside(manifest.mouthConfig)));
};

const counts = { valid: 0, invalid: 0 };
const hold = (name, expected, found) => {
  counts[expected ? "valid" : "invalid"]++;
  if (expected !== found) fault(`${name}: the schemas ${found ? "take" : "refuse"} it`);
};

const vectors = here("../vectors/charpack");
const listed = (file) => JSON.parse(readFileSync(join(vectors, file), "utf8"));
const notJson = []; // of what the recorded validator reads and JSON has no word for, ajv cannot be asked
for (const { name, files, schema_valid } of listed("validate.json")) {
  const bytes = (path) => {
    const file = Object.hasOwn(files, path) ? files[path] : {};
    if (file.symlink !== undefined) throw new Error(`${name}: a link to ${path} is not followed here`);
    if (file.text !== undefined) return Buffer.from(file.text);
    return file.base64 !== undefined ? Buffer.from(file.base64, "base64") : null;
  };
  const text = Object.values(files).map((file) => file.text ?? "").join("\n");
  if (schema_valid && /:\s*-?(NaN|Infinity)\b/.test(text)) {
    notJson.push(name);
  } else hold(name, schema_valid, judge(bytes));
}
if (notJson.join() !== "prob_nan,prob_infinity") fault(`not JSON and yet valid: ${notJson}`);
for (const [name, { schema_valid }] of Object.entries(listed("packs/expect.json"))) {
  const path = (file) => join(vectors, "packs", name, file);
  hold(name, schema_valid, judge((file) => (existsSync(path(file)) ? readFileSync(path(file)) : null)));
}
if (counts.valid === 0 || counts.invalid === 0) fault("there are no cases of some kind");
console.log(`${counts.valid} packs taken and ${counts.invalid} refused`);
process.exitCode = faults > 0 ? 1 : 0;
