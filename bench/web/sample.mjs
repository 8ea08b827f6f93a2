// node sample.mjs PROGRAM WORKLOAD [ROUNDS]: channels a second of one character (bench/sample_bench.c --write), ours in
// WebAssembly beside JavaScript as one writes it by hand: tracks with keys of their own, a binary search, the tables of
// bezier-easing, lerp. Both in turns within a round; a line each: name, value, unit. First both are compared.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Player, Program } from "../../studio/packages/zoetrope/dist/index.js";

const require = createRequire(new URL("../../studio/package.json", import.meta.url));
const bezier = require("bezier-easing");

const [programPath, workPath, roundsText = "9"] = process.argv.slice(2);
const work = JSON.parse(readFileSync(workPath, "utf8"));
const WIDTH = 5, KEYS = work.times.length, SECONDS = work.times[KEYS - 1];
const CHANNELS = work.values.length / KEYS;
const ROUND_MS = 150;

const easings = [];
for (let i = 0; i < work.easings.length; i += 4) { easings.push(bezier(...work.easings.slice(i, i + 4))); }
const tracks = Array.from({ length: CHANNELS }, (_, c) => ({
    keys: work.times.map((time, k) => ({
        time, value: work.values[c * KEYS + k],
        ease: easings[Math.floor(c / WIDTH) * (KEYS - 1) + Math.min(k, KEYS - 2)],
    })),
}));
const out = new Float64Array(CHANNELS);

function sampleByHand(time) {
    for (let c = 0; c < tracks.length; c++) {
        const { keys } = tracks[c];
        let low = 0, high = keys.length - 2;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (keys[middle].time <= time) { low = middle; } else { high = middle - 1; }
        }
        const from = keys[low], to = keys[low + 1];
        const eased = from.ease((time - from.time) / (to.time - from.time));
        out[c] = from.value + (to.value - from.value) * eased;
    }
}

const program = await Program.load(readFileSync(programPath));

let worst = 0;
for (let i = 0; i <= 1000; i++) {
    sampleByHand((SECONDS * i) / 1000);
    const { values } = program.sample(1, i / 1000);
    for (let c = 0; c < CHANNELS; c++) {
        const range = c % WIDTH < 2 ? 40 : c % WIDTH === 2 ? 90 : 0.4;
        worst = Math.max(worst, Math.abs(values[c] - out[c]) / range);
    }
}
console.log(`difference ${worst.toPrecision(3)} of_range`); // the tables stop at 1e-7 of time, which steep curves magnify
if (!(worst < 1e-3)) { throw new Error("the two do not compute the same"); }

// ms a sample of all channels.
function measure(run, each) {
    let count = 0;
    const start = performance.now();
    let now;
    do {
        run();
        count += each;
        now = performance.now();
    } while (now - start < ROUND_MS);
    return (now - start) / count;
}

const FRAMES = 120;
let sink = 0;
const byHand = () => {
    for (let i = 0; i < FRAMES; i++) {
        sampleByHand((SECONDS * i) / FRAMES);
        sink += out[7];
    }
};
const times = Float64Array.from({ length: FRAMES }, (_, i) => i / FRAMES);
const many = () => { sink += program.sampleMany(1, times)[7]; };
const player = new Player(program, { history: false });
const frames = () => {
    for (let i = 0; i < FRAMES; i++) {
        player.advance(1000 / 60);
        sink += player.sample().values[7];
    }
};
for (let round = -1; round < Number(roundsText); round++) { // the first warms up
    const hand = measure(byHand, FRAMES), ours = measure(many, FRAMES), played = measure(frames, FRAMES);
    if (round < 0) { continue; }
    console.log(`hand_rate ${(CHANNELS / hand / 1000).toPrecision(4)} Mchannels/s`);
    console.log(`clip_rate ${(CHANNELS / ours / 1000).toPrecision(4)} Mchannels/s`);
    console.log(`clip_ratio ${(hand / ours).toPrecision(4)} x`);
    console.log(`player_ratio ${(hand / played).toPrecision(4)} x`);
}
if (!Number.isFinite(sink)) { throw new Error("nothing was sampled"); }
