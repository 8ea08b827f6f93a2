// A pet at the lower edge of the window: where it stands is this page's business, how it looks the player's. It hops
// from place to place, can be picked up and falls, and is told what is done on the page. With ?t=MS it stands still at
// that time, in the middle.
import "../../studio/packages/zoetrope/dist/element.js";

const pet = document.getElementById("pet");
const mood = document.getElementById("mood");
const walk = document.getElementById("walk");
const still = new URLSearchParams(location.search).get("t");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const FOOT = 0.812;          // of its height: where its feet are
const BODY = [0.22, 0.78];  // of its width: what is solid
const HOP_MS = 380, HOP_PX = 46;
const GRAVITY = 3200;       // px/s²
const MOODS = {
    idle: "She has nothing to do.", thinking: "She thinks.", working: "She works.", waiting: "She waits for you.",
    success: "She is delighted.", error: "Her lamp went out.",
};

let x = 0, y = 0;           // px, of the feet's middle
let hop = null;             // {from, to, start}
let goal = null;            // px
let wait = 900;             // ms until the next walk
let fall = null;            // px/s
let held = null;            // {pointer, dx, dy, moved, start}
let last = performance.now();

const floor = () => innerHeight;
const half = () => pet.offsetWidth * (BODY[1] - BODY[0]) / 2;
const inside = (value) => Math.min(Math.max(value, half()), innerWidth - half());

function place() {
    const size = pet.offsetWidth;
    pet.style.transform = `translate(${Math.round(x - size / 2)}px, ${Math.round(y - size * FOOT)}px)`;
}

// ------------------------------------------------------------ walking

function startHop(now) {
    const way = Math.sign(goal - x) * Math.min(HOP_PX, Math.abs(goal - x));
    if (!pet.play("builtin:jump", { interrupt: false })) { return; } // it is busy with something else
    hop = { from: x, to: inside(x + way), start: now };
}

function wander(now, dt) {
    if (hop) {
        const part = Math.min(1, (now - hop.start) / HOP_MS);
        const eased = Math.min(1, Math.max(0, (part - 0.25) / 0.5)); // in the air, not while it gathers itself
        x = hop.from + (hop.to - hop.from) * eased;
        if (part === 1) { hop = null; wait = 90; }
        return;
    }
    wait -= dt;
    if (wait > 0) { return; }
    if (goal !== null && Math.abs(goal - x) > 4) { startHop(now); return; }
    goal = null;
    const awake = ["idle", "thinking", "working"].includes(pet.currentState);
    if (!awake || calm.matches || walk.getAttribute("aria-pressed") !== "true") { wait = 400; return; }
    goal = inside(innerWidth * Math.random());
    wait = 1500 + 3500 * Math.random();
}

function drop(dt) {
    fall += GRAVITY * dt / 1000;
    y += fall * dt / 1000;
    if (y < floor()) { return; }
    y = floor();
    if (fall > 300) { pet.play("user:slam-land"); }
    fall = null;
    wait = 1200;
}

function step(now) {
    const dt = Math.min(now - last, 100);
    last = now;
    if (held === null) {
        if (fall !== null) { drop(dt); } else { wander(now, dt); }
    }
    place();
    requestAnimationFrame(step);
}

// ------------------------------------------------------------ picking up

pet.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) { return; }
    pet.setPointerCapture(event.pointerId);
    held = { pointer: event.pointerId, dx: x - event.clientX, dy: y - event.clientY, moved: false, at: [event.clientX, event.clientY] };
    hop = goal = null;
});
pet.addEventListener("pointermove", (event) => {
    if (held === null || event.pointerId !== held.pointer) { return; }
    const far = Math.hypot(event.clientX - held.at[0], event.clientY - held.at[1]);
    if (!held.moved && far < 6) { return; }
    if (!held.moved) {
        held.moved = true;
        fall = null;
        pet.classList.add("held");
        pet.play("builtin:jelly");
    }
    pet.flash("waiting", 500);
    x = inside(event.clientX + held.dx);
    y = Math.min(floor(), Math.max(pet.offsetWidth * 0.4, event.clientY + held.dy));
});
function letGo(event) {
    if (held === null || event.pointerId !== held.pointer) { return; }
    const { moved } = held;
    held = null;
    pet.classList.remove("held");
    if (!moved) {
        if (event.type === "pointerup") { pet.poke(); }
    } else if (calm.matches) {
        y = floor();
    } else {
        fall = 0;
    }
    wait = 1200;
}
pet.addEventListener("pointerup", letGo);
pet.addEventListener("pointercancel", letGo);
addEventListener("resize", () => {
    x = inside(x);
    if (held === null && fall === null) { y = floor(); }
});

// ------------------------------------------------------------ what is done on the page

let writing = 0;
function tell(type) {
    pet.status(type, type === "tool-start" ? { tool: "edit" } : {});
}
for (const button of document.querySelectorAll("[data-status]")) {
    button.addEventListener("click", () => tell(button.dataset.status));
}
document.getElementById("tasks").addEventListener("change", (event) => tell(event.target.checked ? "success" : "turn-start"));
document.getElementById("notes").addEventListener("input", () => {
    if (writing === 0) { tell("tool-start"); }
    clearTimeout(writing);
    writing = setTimeout(() => {
        writing = 0;
        tell("idle");
    }, 1800);
});
document.getElementById("poke").addEventListener("click", () => pet.poke());
walk.addEventListener("click", () => {
    const on = walk.getAttribute("aria-pressed") !== "true";
    walk.setAttribute("aria-pressed", String(on));
    if (!on) { goal = null; }
});

function sayMood(state) {
    mood.textContent = MOODS[state] ?? "";
    for (const button of document.querySelectorAll("[data-status]")) {
        const shows = { "turn-start": "thinking", "tool-start": "working" }[button.dataset.status] ?? button.dataset.status;
        button.setAttribute("aria-pressed", String(shows === state));
    }
}
pet.addEventListener("animation", ({ detail }) => { if (detail.kind === "state") { sayMood(pet.currentState); } });
pet.addEventListener("catchup", () => sayMood(pet.currentState));

if (still !== null) { pet.paused = true; }
pet.addEventListener("ready", () => {
    x = inside(innerWidth * (still === null ? 0.75 : 0.5));
    y = floor();
    sayMood(pet.currentState);
    if (still === null) {
        requestAnimationFrame(step);
    } else {
        place();
        queueMicrotask(() => pet.seek(Number(still)));
    }
}, { once: true });
