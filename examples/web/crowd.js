// A thousand players of one program on one canvas: each with a clock, moods and dice of its own. What a frame takes is
// measured and shown, the playing and the drawing of all of them together. With ?t=MS all stand still at that time;
// ?n=100 and ?renderer=webgl say how many to begin with, and how they are drawn.
import { compile, createCrowd, Pictures, Player } from "../../studio/packages/zoetrope/dist/index.js";

const PET = new URL("../petween/praxi/pet.json", import.meta.url);
const ANIMATIONS = ["curtain-spin", "gentle-float", "peekaboo", "slam-land"].map((name) => `animations/${name}.json`);
const MOODS = ["idle", "thinking", "working", "waiting", "success", "error"];
const BUDGET_MS = 1000 / 60;
const HISTORY = 140; // frames in the graph
// A pet wants less room than a player is given by default.
const SIZES = { runCapacity: 8, effectCapacity: 4, particleCapacity: 64, pointCapacity: 1 };

const query = new URLSearchParams(location.search);
const still = query.get("t");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const field = document.getElementById("field");
const graph = document.getElementById("graph");
const number = document.getElementById("number");
const pick = (id) => document.getElementById(id);

let seed = 1;
function dice() { // the same crowd every time
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
}

// ------------------------------------------------------------ who stands where

const FAR = 0.4;               // how large those at the back are, beside those in front
const WIDE = 0.46, DEEP = 0.3; // of a figure's size: from one to the next, and from row to row
const SKY = 0.17;              // of the height

let figures = []; // {player, x, y: of the feet, size: of the stage, px, part: 0..1 across, jump: ms until it joins in}

function populate(program, count) {
    while (figures.length > count) { figures.pop().player.free(); }
    while (figures.length < count) {
        const player = new Player(program, { seed: figures.length, history: false, reducedMotion: calm.matches, ...SIZES });
        player.request(MOODS[Math.floor(dice() * MOODS.length)]);
        player.advance(dice() * 4000); // they do not all breathe at once
        figures.push({ player, x: 0, y: 0, size: 0, part: 0, jump: Infinity });
    }
    arrange();
    pick("count").textContent = count.toLocaleString("en");
    pick("asked").textContent = count.toLocaleString("en");
}

// Rows from the back to the front, which grow as they come nearer.
function rowsOf(near) {
    const rows = [];
    for (let y = field.height; y > field.height * SKY;) {
        const size = near * (FAR + (1 - FAR) * (y / field.height - SKY) / (1 - SKY));
        rows.unshift({ y, size, count: Math.ceil(field.width / (size * WIDE)) + 1 });
        y -= size * DEEP;
    }
    return rows;
}

// As large as lets all of them have a place.
function arrange() {
    let low = 8, high = field.width + field.height;
    for (let i = 0; i < 24; i++) {
        const middle = (low + high) / 2;
        const places = rowsOf(middle).reduce((sum, row) => sum + row.count, 0);
        if (places >= figures.length) { low = middle; } else { high = middle; }
    }
    const rows = rowsOf(low);
    const left = figures.length / rows.reduce((sum, row) => sum + row.count, 0); // a few places stay empty
    let next = 0, due = 0;
    rows.forEach(({ y, size, count }, r) => {
        for (let i = 0; i < count; i++) {
            due += left;
            if (due < next + 0.5 || next === figures.length) { continue; }
            const one = figures[next++];
            const jitter = Math.sin(next * 12.9898) * 43758.5453; // where it stands is its own, and stays so
            const aside = (jitter - Math.floor(jitter) - 0.5) * 0.35;
            one.part = (i + (r % 2) / 2 + aside) / (count - 0.5);
            one.x = one.part * field.width;
            one.y = y + aside * size * DEEP;
            one.size = size;
        }
    });
}

// ------------------------------------------------------------ what is shown of the time it takes

const works = [];
function measure(work, gap) {
    works.push({ work, gap });
    if (works.length > HISTORY) { works.shift(); }
    if (works.length % 10 !== 0 && works.length < HISTORY) { return; }
    const recent = works.slice(-30);
    const mean = (of) => recent.reduce((sum, one) => sum + of(one), 0) / recent.length;
    pick("work").textContent = mean((one) => one.work).toFixed(1);
    pick("rate").textContent = Math.round(1000 / mean((one) => one.gap));
}

function drawGraph() {
    const context = graph.getContext("2d");
    const { width, height } = graph;
    const scale = height / (BUDGET_MS * 1.25);
    context.clearRect(0, 0, width, height);
    const step = width / HISTORY;
    works.forEach(({ work }, i) => {
        context.fillStyle = work > BUDGET_MS ? "#ff8a6b" : "#ffbe4a";
        const tall = Math.max(2, Math.min(height, work * scale));
        context.fillRect(i * step + 0.5, height - tall, step - 1.2, tall);
    });
    context.fillStyle = "rgb(255 255 255 / 0.4)";
    context.fillRect(0, height - BUDGET_MS * scale, width, 1);
}

// ------------------------------------------------------------ all of it

const program = await compile(PET, {
    files: Object.fromEntries(await Promise.all(ANIMATIONS.map(async (name) =>
        [name, new Uint8Array(await (await fetch(new URL(name, PET))).arrayBuffer())]))),
});
const pictures = new Pictures(program);
await Promise.all(MOODS.map(async (name) => {
    const blob = await (await fetch(new URL(`../petween/pet/${name}.png`, import.meta.url))).blob();
    pictures.set(name, await createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" }));
}));
const crowd = await createCrowd(field, program, { pictures, renderer: query.get("renderer") ?? "auto" });

if (query.has("n")) { number.value = query.get("n"); }
if (crowd.renderer === "pixels" && still === null && !query.has("n")) { // by the module's own rasteriser a thousand are a slide show
    number.value = "100";
    pick("note").textContent = "There is no graphics card here, so the module draws by itself: a hundred to begin with.";
}

function resize() {
    const scale = Math.min(devicePixelRatio, 2);
    field.width = Math.round(field.clientWidth * scale);
    field.height = Math.round(field.clientHeight * scale);
    if (figures.length > 0) { arrange(); }
}
new ResizeObserver(() => {
    resize();
    if (still !== null) { draw(); }
}).observe(field);
resize();
populate(program, Number(number.value));

function draw() { crowd.draw(figures, { width: field.width, height: field.height }); }

let last = 0;
function step(now) {
    const gap = last === 0 ? BUDGET_MS : now - last;
    last = now;
    const begin = performance.now();
    const dt = Math.min(gap, 100); // whoever was away does not see them hurry
    for (const one of figures) {
        one.player.advance(dt);
        one.jump -= dt;
        if (one.jump <= 0) {
            one.jump = Infinity;
            one.player.play("builtin:jump", { interrupt: true });
        }
    }
    draw();
    measure(performance.now() - begin, gap);
    drawGraph();
    requestAnimationFrame(step);
}

const acts = {
    wave: () => figures.forEach((one) => { one.jump = one.part * 2200; }),
    mixed: () => figures.forEach(({ player }) => player.request(MOODS[Math.floor(dice() * MOODS.length)])),
};
for (const button of document.querySelectorAll("[data-act]")) {
    const { act } = button.dataset;
    button.addEventListener("click", acts[act] ?? (() => figures.forEach(({ player }) => player.request(act))));
}
number.addEventListener("input", () => populate(program, Number(number.value)));
calm.addEventListener("change", () => figures.forEach(({ player }) => { player.reducedMotion = calm.matches; }));
field.addEventListener("click", (event) => {
    const scale = field.width / field.clientWidth;
    const x = event.offsetX * scale, y = event.offsetY * scale;
    for (const one of figures) {
        const far = Math.hypot(one.x - x, one.y - one.size * 0.3 - y) / scale;
        if (far < 160) { one.jump = far * 3; }
    }
});

if (still === null) {
    requestAnimationFrame(step);
} else {
    for (const { player } of figures) { player.advance(Number(still)); }
    draw();
    document.documentElement.dataset.still = "";
}
