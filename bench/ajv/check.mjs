// check.mjs FILE: JSON.parse and ajv with a schema of the same fields as the reader's. Prints `ajv_us VALUE us` once a round.
import { readFileSync } from "node:fs";
import Ajv from "ajv";

const number = { type: "number" };
const time = { type: "number", minimum: 0, maximum: 1 };
const layers = { transition: "scaleX scaleY x y rotation opacity", sway: "rotation", bounce: "x y scaleX scaleY", breathe: "scaleX scaleY" };
const properties = Object.entries(layers).flatMap(([layer, names]) => names.split(" ").map((name) => `${layer}.${name}`));
const object = (required, members) => ({ type: "object", required: required.split(" "), properties: members });
const keyframe = object("at value", {
    at: time,
    value: { anyOf: [number, object("base parameter amount", { base: number, parameter: { const: "strength" }, amount: number })] },
    easing: { type: "string", pattern: "^(linear|ease|ease-in|ease-out|ease-in-out|spring-soft|spring-snappy|overshoot|anticipate|cubic-bezier\\(.*\\))$" },
});
const schema = object("version id name kind durationMs repeat tracks", {
    version: { const: 1 },
    id: { type: "string", pattern: "^[a-z0-9-]+:[A-Za-z0-9_-]+$" },
    name: { type: "string", minLength: 1 },
    kind: { enum: ["transition", "ambient", "interaction"] },
    durationMs: { type: "number", minimum: 1, maximum: 60000 },
    repeat: object("mode", { mode: { enum: ["once", "loop", "alternate", "random-interval"] }, minDelayMs: number, maxDelayMs: number }),
    tracks: { type: "array", items: object("property keyframes", { property: { enum: properties }, keyframes: { type: "array", minItems: 1, items: keyframe } }) },
    events: { type: "array", items: object("at type", { at: time, type: { enum: ["pose-swap", "particle"] }, effect: { enum: ["confetti", "star-burst", "sparkle"] } }) },
    parameters: { type: "object" },
});

const text = readFileSync(process.argv[2], "utf8");
const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
const cpu_us = () => { const { user, system } = process.cpuUsage(); return user + system; };
for (let round = -2; round < 5; round++) { // two rounds for the compiler to warm up
    let count = 0;
    const start = cpu_us();
    do {
        for (let i = 0; i < 100; i++) {
            if (!validate(JSON.parse(text))) { console.error(validate.errors); process.exit(1); }
        }
        count += 100;
    } while (cpu_us() - start < 200000);
    if (round >= 0) { console.log(`ajv_us ${((cpu_us() - start) / count).toFixed(3)} us`); }
}
