// agree.mjs ZOETROPE VERDICTS FORMAT [--write | --without]: holds the JSON Schema that `zoetrope schema FORMAT` prints
// against what the reader says (zoetrope-verdicts), with ajv. What the reader takes, the schema must take; what it
// refuses by a rule that a schema can say, the schema must refuse; what it refuses only by rules that none can say, the
// schema must let through. What is left over of petween is docs/schema-limits.md: compared, or with --write made. With
// --without every keyword of the schema is left out once, and each time some case must notice. Exit 0: all is well.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [zoetrope, verdicts, format, option] = process.argv.slice(2);
if (format === undefined || ![undefined, "--write", "--without"].includes(option)) {
  console.error("usage: agree.mjs ZOETROPE VERDICTS FORMAT [--write | --without]");
  process.exit(2);
}
if (!existsSync(here("../node/node_modules/ajv"))) {
  console.error("tests/node/node_modules is not there: run tools/setup test");
  process.exit(3);
}
const Ajv = createRequire(here("../node/package.json"))("ajv/dist/2020.js").default;

let faults = 0;
const fault = (text) => {
  if (++faults <= 20) console.error(`failed: ${text}`);
};

// Strict, and a word of the validator counts as a fault too: an editor would show it to everybody.
const compile = (schema) => {
  const said = (...words) => fault(`ajv says: ${words.join(" ")}`);
  const logger = { log: said, warn: said, error: said };
  return new Ajv({ strict: true, strictRequired: false, logger }).addVocabulary(["x-stability"]).compile(schema);
};
const printed = (profile) =>
  JSON.parse(execFileSync(zoetrope, ["schema", format, "--profile", profile], { encoding: "utf8" }));

const rules = new Map(); // of the format: how much of each a schema says
const cases = [];
const child = spawn(verdicts, [".", format], { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((resolve) => child.on("close", resolve));
for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
  const entry = JSON.parse(line);
  if (entry.rule !== undefined) {
    rules.set(entry.rule, entry);
    continue;
  }
  try {
    entry.value = JSON.parse(entry.text);
    entry.parsed = true;
  } catch {
    entry.parsed = false;
  }
  cases.push(entry);
}
if ((await ended) !== 0) fault("zoetrope-verdicts failed");

// What is wrong when the schema takes the case or does not; undefined: nothing.
const disagreement = (entry, takes) => {
  const all = (...how) => entry.rules.every((rule) => how.includes(rules.get(rule)?.said ?? "not"));
  if (entry.accepts) return takes ? undefined : "the reader takes it, the schema does not";
  if (!takes) return all("not") ? `no schema says ${entry.rules}, and yet this one refuses it` : undefined;
  return all("not", "partly") ? undefined : `the reader refuses it by ${entry.rules}, the schema takes it`;
};

// ------------------------------------------------------------------------------------------- every keyword is needed

// Types that are said again for validators in strict mode, words that are offered and that a pattern takes as well.
const spare = (path, key, schema) =>
  (key === "type" && path.includes("/allOf/")) ||
  (key === "type" && (schema.enum ?? schema.const ?? schema.anyOf?.[0]?.enum) !== undefined) ||
  (key === "enum" && path === "/$defs/event/allOf/0/then/properties/pose/anyOf/0");

const withoutEach = (profile, meant) => {
  const schema = printed(profile);
  const own = cases.filter((entry) => entry.profile === profile && entry.parsed && entry.file !== "texts"); // enough
  const validateWhole = compile(schema);
  if (own.some((entry) => disagreement(entry, validateWhole(entry.value)))) fault("not even the whole schema agrees");
  const notes = ["$schema", "$id", "$comment", "title", "description", "$defs", "x-stability"];
  let count = 0;
  const walk = (node, path, isSchema) => {
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (isSchema && meant(key) && !notes.includes(key) && !spare(path, key, node)) {
        delete node[key];
        // Not strict: a schema with a hole is not meant to be neat.
        const validate = new Ajv({ strict: false, logger: false }).compile(structuredClone(schema));
        if (!own.some((entry) => disagreement(entry, validate(entry.value)))) {
          fault(`${profile}: nothing notices that ${path}/${key} is left out`);
        }
        node[key] = value;
        count++;
      }
      if (typeof value === "object" && value !== null && !["enum", "required"].includes(key)) {
        walk(value, `${path}/${key}`, !(isSchema && ["properties", "$defs", "allOf", "anyOf"].includes(key)));
      }
    }
  };
  walk(schema, "", true);
  return count;
};

// --------------------------------------------------------------------------------------------------------- all agree

const passed = new Map(); // "file: name" of what the schema lets through and the reader does not
const unreadable = new Map(); // of what the reader takes and JSON.parse does not
const counts = { named: 0, made: 0, refused: 0, passed: 0 };

const note = (map, entry) => {
  const key = `${entry.file}: ${entry.name}`;
  if (!map.has(key)) map.set(key, { rules: new Set(), profiles: new Set() });
  for (const rule of entry.rules) map.get(key).rules.add(rule);
  map.get(key).profiles.add(entry.profile);
};

const judge = (entry, validate) => {
  counts[entry.name === null ? "made" : "named"]++;
  if (!entry.parsed) {
    if (entry.accepts) note(unreadable, { ...entry, name: entry.name ?? entry.text });
    return;
  }
  const takes = validate(entry.value);
  const wrong = disagreement(entry, takes);
  const why = takes ? "" : `: ${JSON.stringify(validate.errors[0])}`;
  if (wrong !== undefined) fault(`${entry.profile}: ${entry.file}: ${entry.name ?? entry.text}: ${wrong}${why}`);
  if (!entry.accepts) counts[takes ? "passed" : "refused"]++;
  // Fixtures are not listed, so that a new diagnostic needs nothing but its own.
  if (!entry.accepts && takes && entry.name !== null && !entry.file.startsWith("tests/diag")) note(passed, entry);
};

const table = (map) => {
  if (map.size === 0) return ["None."];
  const rows = [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { rules: by, profiles }]) => {
    const whose = profiles.size === 2 ? "both" : [...profiles];
    return `| ${key.replaceAll("|", "\\|")} | ${[...by].sort().join(", ")} | ${whose} |`;
  });
  return ["| case | refused by | profile |", "|---|---|---|", ...rows];
};

const limits = () => {
  const kept = (how) => [...rules.values()].filter((rule) => rule.said === how);
  const rows = [...kept("not"), ...kept("partly")].map((rule) =>
    `| ${rule.rule} | ${rule.said === "not" ? "no" : "in part"} | whether ${rule.about} |`);
  return [
    "# What the JSON Schema of petween does not say",
    "",
    "Written by `tests/schema/agree.mjs --write` from the reader's own tables and the test cases; a test compares it.",
    "`zoetrope schema petween` prints the schema, `zoetrope check` sees everything.",
    "",
    "| rule | in the schema | what only the reader sees |",
    "|---|---|---|",
    ...rows,
    "",
    `The other ${kept("whole").length} rules are in it whole:`,
    `${kept("whole").map((rule) => rule.rule.replace("petween/", "")).join(", ")}.`,
    "",
    "## Cases of the vectors that the schema lets through",
    "",
    ...table(passed),
    "",
    "## Cases that the reader takes and JSON.parse does not",
    "",
    ...table(unreadable),
    "",
  ].join("\n");
};

if (option === "--without") {
  // The profiles differ in patterns alone; formats without a case for the second do not differ at all.
  const twice = cases.some((entry) => entry.profile === "original");
  const count = withoutEach("document", () => true) + (twice ? withoutEach("original", (key) => key === "pattern") : 0);
  console.log(`${count} keywords left out in turn, ${faults} of them unnoticed`);
  if (count === 0) fault("there are no keywords");
} else {
  for (const profile of ["document", "original"]) {
    const validate = compile(printed(profile));
    for (const entry of cases) if (entry.profile === profile) judge(entry, validate);
  }
  const sayable = [...rules.values()].every((rule) => rule.said === "whole");
  if (Object.entries(counts).some(([kind, count]) => count === 0 && !(kind === "passed" && sayable))) {
    fault("there are no cases of some kind");
  }
  if (!cases.some((entry) => entry.profile === "original")) {
    const [one, other] = ["document", "original"].map((profile) => JSON.stringify({ ...printed(profile), $id: "" }));
    if (one !== other) fault("the profiles differ, and only one has cases");
  }
  const path = here("../../docs/schema-limits.md");
  if (format !== "petween") {
    // What is left over is the rules between members, which no schema of this format says.
  } else if (option === "--write") writeFileSync(path, limits());
  else if (!existsSync(path) || readFileSync(path, "utf8") !== limits()) fault("docs/schema-limits.md is out of date");
  console.log(`${counts.named} cases and ${counts.made} made of some: ${counts.refused} refused by both, ` +
    `${counts.passed} by the reader alone`);
}
if (faults > 20) console.error(`and ${faults - 20} more`);
process.exitCode = faults > 0 ? 1 : 0;
