// What the pages with a stage share: controls that are made from whatever program the player has, a time line that can
// be dragged, and a log. A page says in its HTML what there is to choose from; nothing here knows a format.
// With ?t=MS the player stands still at that time.
import "../../studio/packages/zoetrope/dist/element.js";

const query = new URLSearchParams(location.search);
const player = document.querySelector("zoetrope-player");
const pick = (id) => document.getElementById(id);
const SPEEDS = [0.1, 0.25, 0.5, 1, 2];
const LOG_MAX = 200;
const ICONS = {
    play: "M3 1.5v13l11-6.5z",
    pause: "M3 1.5h4v13H3zM9 1.5h4v13H9z",
    restart: "M8 2.5V0L3.5 3.75 8 7.5V4.6a4.4 4.4 0 1 1-4.4 4.4H1.5A6.5 6.5 0 1 0 8 2.5z",
};

let example = null; // the button that is chosen
let run = null;     // the clip that was last started from the list
let horizon = 0;    // ms that the time line spans
let dragging = false;

// ------------------------------------------------------------ small makers

function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            element.addEventListener(name, value);
        } else if (value !== null && value !== undefined) {
            element.setAttribute(name, value);
        }
    }
    element.append(...children);
    return element;
}

function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("width", "16");
    svg.setAttribute("height", "16");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", ICONS[name]);
    svg.append(path);
    return svg;
}

const words = (text) => text.replace(/^[a-z]+:/, "").replace(/[_-]/g, " ");
const seconds = (ms) => (ms / 1000).toFixed(2);

// ------------------------------------------------------------ which example

function choose(button) {
    example = button;
    for (const other of button.parentElement.children) { other.setAttribute("aria-pressed", String(other === button)); }
    for (const name of ["files", "pictures", "state", "params", "clip"]) {
        const value = button.dataset[name];
        player[name] = value === undefined ? null : value;
    }
    player.alt = button.dataset.alt ?? button.textContent.trim();
    player.src = button.dataset.src;
    pick("log").replaceChildren();
    showMarkup();
}

// ------------------------------------------------------------ panels made from the program

function section(id, filled) {
    const box = pick(id);
    if (box) { box.closest("section").hidden = !filled; }
    return box;
}

// A machine of its own accord is led by triggers; any other takes what it is asked for.
function ask(state) {
    for (const stamp of (example.dataset.stamps ?? "").split(" ")) { // controls that want to know when
        const [name, control] = stamp.split("=");
        if (name === state) { player.set(control, player.now / 1000); }
    }
    player.state = null;
    player.state = state;
    wake();
}

// Whoever asks for something wants to see it.
function wake() {
    if (player.paused && !query.has("t")) { player.paused = false; }
}

function showStates(program) {
    const names = [...new Set(program.states.map((state) => state.clip ? state.group : state.name))];
    const box = section("states", names.length > 0);
    box?.replaceChildren(...names.map((name) =>
        make("button", { type: "button", "data-state": name, click: () => ask(name) }, words(name))));
}

function showStatus(program) {
    const box = section("status", program.statusTypes.length > 0);
    box?.replaceChildren(...[...new Set(program.statusTypes)].map((type) =>
        make("button", { type: "button", click: () => { player.status(type); wake(); } }, words(type))));
}

function startClip(clip, button) {
    if (run !== null) { player.cancel(run); run = null; }
    const again = button.getAttribute("aria-pressed") === "true" && clip.repeat !== "once" && clip.repeat !== "hold";
    for (const other of pick("clips").querySelectorAll("button")) { other.setAttribute("aria-pressed", "false"); }
    if (again) { return; } // pressed once more, one that goes round is over
    button.setAttribute("aria-pressed", "true");
    if (!player.play(clip.name, { interrupt: true })) { run = player.start(clip.name) ?? null; }
    wake();
}

function showClips(program) {
    // Where each state is a clip of its own, the states are the list.
    const chosen = program.states.some((state) => state.clip || state.node) ? [] : program.clips;
    const box = section("clips", chosen.length > 0);
    // The twin for less motion has the same name and comes later.
    const listed = chosen.filter((clip, i) => chosen.findIndex((one) => one.name === clip.name) === i);
    box?.replaceChildren(...listed.map((clip) => {
        const button = make("button", { type: "button", "aria-pressed": "false" }, icon("play"),
            make("span", {}, clip.label || words(clip.name)),
            make("span", { class: "figure" }, `${seconds(clip.durationMs)} s`));
        button.addEventListener("click", () => startClip(clip, button));
        return make("li", {}, button);
    }));
}

function showParams(program) {
    const ranges = new Map((example.dataset.ranges ?? "").split(" ").filter(Boolean).map((text) => {
        const [name, low, high] = text.split(/=|\.\./);
        return [name, [Number(low), Number(high)]];
    }));
    const seen = new Set();
    const shown = program.params.filter((param) => {
        const bounded = ranges.has(param.name) || (Number.isFinite(param.low) && Number.isFinite(param.high));
        const first = !seen.has(param.name);
        seen.add(param.name);
        return bounded && first;
    });
    const box = section("params", shown.length > 0);
    box?.replaceChildren(...shown.map((param) => {
        const [low, high] = ranges.get(param.name) ?? [param.low, param.high];
        const value = player.get(param.name) ?? param.value;
        const output = make("output", {}, Number(value).toFixed(2));
        const input = make("input", {
            type: "range", id: `param-${param.name}`, min: low, max: high, step: (high - low) / 200, value,
        });
        input.addEventListener("input", () => {
            output.textContent = Number(input.value).toFixed(2);
            player.set(param.name, Number(input.value));
        });
        return make("div", { class: "param" }, make("label", { for: input.id }, words(param.name)), output, input);
    }));
}

function showMarkup() {
    const box = pick("markup");
    if (!box) { return; }
    const lines = ["<script type=\"module\" src=\"zoetrope/dist/element.js\"></" + "script>", "<zoetrope-player"];
    for (const name of ["src", "files", "pictures", "state", "params", "speed"]) {
        if (player.hasAttribute(name)) { lines.push(`    ${name}="${player.getAttribute(name)}"`); }
    }
    box.textContent = `${lines.join("\n")}>\n</zoetrope-player>`;
}

// ------------------------------------------------------------ time

function buildTransport() {
    const toggle = make("button", { type: "button", class: "round main", click: () => { player.paused = !player.paused; } });
    const restart = make("button", {
        type: "button", class: "round", "aria-label": "From the beginning", title: "From the beginning",
        click: () => { player.seek(0); wake(); },
    }, icon("restart"));
    const time = make("output", { "aria-label": "Time" });
    const speeds = make("div", { class: "group", role: "group", "aria-label": "Speed" }, ...SPEEDS.map((speed) =>
        make("button", { type: "button", "aria-pressed": String(speed === 1), click: (event) => {
            player.speed = speed;
            for (const other of speeds.children) { other.setAttribute("aria-pressed", String(other === event.target)); }
            showMarkup();
        } }, `${speed}×`)));
    const slide = make("input", { type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time in seconds" });
    const slits = make("div", { class: "slits" });
    const needle = make("div", { class: "needle" });
    const marks = make("div", { class: "marks" });
    pick("drum").append(slits, marks, needle, slide);
    pick("transport").append(toggle, restart, time, speeds);

    let resume = false;
    const drag = () => {
        if (!dragging) {
            dragging = true;
            resume = !player.paused;
            player.paused = true;
        }
        player.seek(Number(slide.value) * horizon);
    };
    slide.addEventListener("input", drag);
    slide.addEventListener("change", () => {
        dragging = false;
        if (resume && !query.has("t")) { player.paused = false; }
    });

    let shown = null;
    const show = () => {
        const now = player.now;
        if (now > horizon) {
            if (example.dataset.again !== undefined && player.playing) {
                player.seek(0); // short and over: shown again
                clearMarks();
            } else {
                horizon = Math.max(horizon * 2, now);
            }
        }
        const key = `${now} ${horizon} ${player.paused}`;
        if (key !== shown) {
            shown = key;
            const part = horizon > 0 ? Math.min(1, now / horizon) : 0;
            slits.style.setProperty("--at", `${part * 100}%`);
            needle.style.setProperty("--part", part);
            if (!dragging) { slide.value = part; }
            slide.setAttribute("aria-valuetext", `${seconds(now)} seconds`);
            time.replaceChildren(seconds(now), make("small", {}, ` s of ${seconds(horizon)}`));
            for (const mark of marks.children) { mark.style.insetInlineStart = `${mark.dataset.t / horizon * 100}%`; }
            if (toggle.dataset.paused !== String(player.paused)) {
                toggle.dataset.paused = String(player.paused);
                toggle.replaceChildren(icon(player.paused ? "play" : "pause"));
                toggle.setAttribute("aria-label", player.paused ? "Play" : "Pause");
            }
            const state = player.player?.state;
            for (const button of document.querySelectorAll("[data-state]")) {
                const on = state && [state.name, state.group].includes(button.dataset.state);
                button.setAttribute("aria-pressed", String(Boolean(on)));
            }
        }
        requestAnimationFrame(show);
    };
    requestAnimationFrame(show);
}

function clearMarks() { document.querySelector(".marks").replaceChildren(); }

function mark(event) {
    if (event.kind !== "notify" && event.kind !== "state" && event.kind !== "start-effect") { return; }
    const marks = document.querySelector(".marks");
    if (marks.childElementCount >= LOG_MAX) { marks.firstElementChild.remove(); }
    marks.append(make("i", { "data-t": event.t, style: `inset-inline-start: ${event.t / horizon * 100}%` }));
}

// ------------------------------------------------------------ what happened

function note(kind, t, text) {
    const log = pick("log");
    log.prepend(make("li", { "data-kind": kind },
        make("span", { class: "figure" }, `${seconds(t)} s`), make("b", {}, kind), make("span", {}, text)));
    while (log.childElementCount > LOG_MAX) { log.lastElementChild.remove(); }
}

function sayEvent(event) {
    const details = Object.entries(event.arguments ?? {}).map(([name, value]) => `${name} ${value}`).join(", ");
    const text = [event.state ?? (event.name || words(event.clip ?? "")), event.via, event.end, event.activity, details]
        .filter((part) => part !== undefined && part !== null && part !== "").join(" · ");
    note(event.kind, event.t, text);
    mark(event);
}

// ------------------------------------------------------------ all of it

player.addEventListener("ready", ({ detail: { program } }) => {
    run = null;
    horizon = Number(example.dataset.span ?? 10000);
    clearMarks();
    showStates(program);
    showStatus(program);
    showClips(program);
    showParams(program);
    if (query.has("t")) { queueMicrotask(() => player.seek(Number(query.get("t")))); }
});
player.addEventListener("animation", ({ detail }) => sayEvent(detail));
player.addEventListener("catchup", ({ detail }) => {
    if (detail.elapsed > 500) { note("catchup", player.now, `${seconds(detail.elapsed)} s unseen, ${detail.events.length} events`); }
});
player.addEventListener("error", ({ detail }) => note("error", player.now, detail.message));

buildTransport();
player.paused = query.has("t"); // the markup has it paused, lest it begins before there are controls
player.history = true;
for (const button of pick("examples").children) {
    button.addEventListener("click", () => {
        history.replaceState(null, "", `${location.search}#${button.dataset.name}`);
        choose(button);
        wake();
    });
}
const named = [...pick("examples").children].find((button) => `#${button.dataset.name}` === location.hash);
choose(named ?? pick("examples").firstElementChild);
pick("clear")?.addEventListener("click", () => { pick("log").replaceChildren(); clearMarks(); });
pick("copy")?.addEventListener("click", async (event) => {
    await navigator.clipboard.writeText(pick("markup").textContent);
    event.target.textContent = "Copied";
    setTimeout(() => { event.target.textContent = "Copy"; }, 1500);
});
if (player.dataset.poke !== undefined) { player.addEventListener("click", () => { player.poke(); wake(); }); }

const voice = pick("voice");
if (voice) { // somebody speaks, and how loud
    const level = pick("mouth");
    voice.addEventListener("change", () => { player.speaking(voice.checked); wake(); });
    level.addEventListener("input", () => {
        player.mouth(Number(level.value));
        level.previousElementSibling.textContent = Number(level.value).toFixed(2);
    });
}
document.documentElement.dataset.made = "";
