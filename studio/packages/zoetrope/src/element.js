// <zoetrope-player src state>: an animation in a page, with no script of the page's own. Importing this file registers
// it. It fetches and compiles, keeps the clock, decides when to play (seen, not paused, motion welcome) and draws; what
// is played is the Player's business, and how it is drawn the stage's. All players of a page share one module, one
// frame callback and one observer of each kind.
import { compile } from "./compile.js";
import { Player } from "./player.js";
import { Pictures } from "./pictures.js";
import { createStage } from "./stage.js";

const FRAME_GAP_MS = 1000; // without a frame for longer, nobody has seen anything: caught up, not played
const MISSED_MAX = 1024;   // events kept while unseen; the rest is counted
const SPEED_MAX = 100;

// Attributes that are texts, and the properties that reflect them.
const TEXTS = {
    src: "src", files: "files", pictures: "pictures", state: "state", clip: "clip", params: "params",
    format: "format", profile: "profile", fit: "fit", renderer: "renderer", seed: "seed", background: "background",
    alt: "alt", "reduced-motion": "reducedMotion",
};
const FLAGS = ["paused", "history"];
// Those of them that are one of a few words; anything else counts as the first.
const CHOICES = {
    profile: ["document", "original"],
    fit: ["contain", "cover", "none"],
    renderer: ["auto", "webgl", "pixels"],
    "reduced-motion": ["auto", "reduce", "no-preference"],
};

const STYLE = `
:host { display: inline-block; position: relative; inline-size: 16rem; contain: layout paint; }
:host([hidden]) { display: none; }
canvas { display: block; position: absolute; inset: 0; inline-size: 100%; block-size: 100%; }
[part="error"] {
    position: absolute; inset: 0; overflow: auto; box-sizing: border-box; padding: 1rem;
    font: 0.8125rem/1.45 system-ui, sans-serif; color: #5c1020; background: #fdeef0;
    border-inline-start: 4px solid #c22f4a; overflow-wrap: anywhere; white-space: pre-wrap;
}
[part="error"] > * { margin: 0 0 0.5em; }
[part="place"] { display: block; font: 0.75rem/1.4 ui-monospace, monospace; }
[part="play"] {
    position: absolute; inset-inline-end: 0.5rem; inset-block-end: 0.5rem; padding: 0.35rem 0.8rem;
    font: 600 0.8125rem/1.4 system-ui, sans-serif; color: #fff; background: rgb(20 18 40 / 0.85);
    border: 1px solid rgb(255 255 255 / 0.35); border-radius: 99px; cursor: pointer;
}
[part="play"]:focus-visible { outline: 3px solid #7aa7ff; outline-offset: 2px; }
[hidden] { display: none !important; }
@media (prefers-color-scheme: dark) { [part="error"] { color: #ffd9df; background: #3a1620; } }
`;

// Importing must work where there is no document, such as on a server that renders pages.
const Base = globalThis.HTMLElement ?? class {};

export class ZoetropePlayer extends Base {
    static observedAttributes = [...Object.keys(TEXTS), ...FLAGS, "speed"];

    // ------------------------------------------------------------ what all players of a page share

    static #made = null;
    static get #shared() { return ZoetropePlayer.#made ??= ZoetropePlayer.#share(); } // not before one is there
    static #connected = new Set();
    static #playing = new Set();
    static #frameId = 0;

    static #share() {
        const all = (call) => ZoetropePlayer.#connected.forEach(call);
        const motion = matchMedia("(prefers-reduced-motion: reduce)");
        motion.addEventListener("change", () => all((element) => element.#motionChanged()));
        document.addEventListener("visibilitychange", () => all((element) => element.#schedule()));
        const screen = new IntersectionObserver((entries) => {
            for (const entry of entries) {
                entry.target.#onScreen = entry.isIntersecting;
                entry.target.#schedule();
            }
        }, { rootMargin: "64px" });
        const size = new ResizeObserver((entries) => entries.forEach((entry) => entry.target.#resized(entry)));
        const style = new CSSStyleSheet();
        style.replaceSync(STYLE);
        return { motion, screen, size, style };
    }

    static #tick(now) {
        ZoetropePlayer.#frameId = 0;
        for (const element of [...ZoetropePlayer.#playing]) { element.#frame(now); }
        ZoetropePlayer.#keepTicking();
    }

    static #keepTicking() {
        if (ZoetropePlayer.#playing.size > 0 && ZoetropePlayer.#frameId === 0) {
            ZoetropePlayer.#frameId = requestAnimationFrame(ZoetropePlayer.#tick);
        }
    }

    // ------------------------------------------------------------ what one of them has

    #root;
    #sheet;               // the host's own proportions
    #canvas;
    #error;
    #play;
    #children;            // a MutationObserver of the text that may stand inside
    #load = null;         // the AbortController of the present load
    #reload = false;      // one is to begin when this task is over
    #resolve; #reject;    // of #ready
    #ready;
    #settled = false;     // it has been kept or broken
    #program = null;
    #ownsProgram = false;
    #pictures = null;
    #player = null;
    #stage = null;
    #stageLoad = null;    // the attempt whose stage counts
    #onScreen = false;
    #unseenSince = null;  // ms, where nobody sees it at present
    #missed = []; #missedCount = 0;
    #running = false;     // time passes, seen or not
    #rate = 1;            // speed, as of the time that is not yet played
    #last = 0;            // ms, when time was last taken
    #carryNs = 0;         // what a scaled step left of a nanosecond
    #width = 0; #height = 0; // px of the screen
    #still = false;       // it was we who paused it, for less motion is wanted
    #freeing = false;

    constructor() {
        super();
        this.#root = this.attachShadow({ mode: "open" });
        this.#canvas = this.#newCanvas();
        this.#error = Object.assign(document.createElement("div"), { hidden: true });
        this.#error.setAttribute("part", "error");
        this.#error.setAttribute("role", "alert");
        this.#play = Object.assign(document.createElement("button"), { type: "button", hidden: true });
        this.#play.setAttribute("part", "play");
        this.#play.textContent = "Play";
        this.#play.addEventListener("click", (event) => {
            event.stopPropagation(); // it is no click on what is shown
            this.paused = false;
        });
        this.#root.append(this.#canvas, this.#error, this.#play);
        this.#renewReady();
    }

    connectedCallback() {
        const shared = ZoetropePlayer.#shared;
        ZoetropePlayer.#connected.add(this);
        if (!this.#sheet) {
            this.#sheet = new CSSStyleSheet();
            this.#root.adoptedStyleSheets = [this.#sheet, shared.style];
            this.#proportions(null);
            this.#upgrade();
        }
        shared.screen.observe(this);
        try {
            shared.size.observe(this, { box: "device-pixel-content-box" });
        } catch {
            shared.size.observe(this); // browsers that cannot tell: what they can is multiplied
        }
        this.#children ??= new MutationObserver(() => { if (!this.hasAttribute("src")) { this.#startLoad(); } });
        this.#children.observe(this, { childList: true, characterData: true, subtree: true });
        this.#label();
        if (this.#program === null) { this.#startLoad(); } else { this.#schedule(); }
    }

    disconnectedCallback() {
        const shared = ZoetropePlayer.#shared;
        ZoetropePlayer.#connected.delete(this);
        shared.screen.unobserve(this);
        shared.size.unobserve(this);
        this.#children.disconnect();
        this.#onScreen = false;
        this.#schedule();
        if (this.#freeing) { return; }
        this.#freeing = true;
        queueMicrotask(() => { // one that is only moved to another place keeps all
            this.#freeing = false;
            if (!this.isConnected) { this.#free(); }
        });
    }

    attributeChangedCallback(name, before, now) {
        if (before === now) { return; }
        switch (name) {
        case "src": case "files": case "format": case "profile":
            if (name === "src" || this.#ownsProgram || this.#program === null) { this.#startLoad(); }
            break;
        case "pictures": this.#startLoad(); break;
        case "clip": case "seed": case "history": this.#newPlayer(); break;
        case "state":
            if (now !== null && this.#player) { this.#act(() => this.#ask(now)); }
            break;
        case "params": if (this.#player) { this.#act(() => this.#setAll()); } break;
        case "fit": this.#draw(); break;
        case "renderer": this.#newStage(); break;
        case "background": this.#canvas.style.background = now ?? ""; break;
        case "alt": this.#label(); break;
        case "reduced-motion": this.#motionChanged(); break;
        case "paused":
            if (now === null) { this.#still = false; }
            this.#play.hidden = !this.#still;
            this.#schedule();
            break;
        case "speed":
            this.#step(performance.now()); // what has passed went by the old one
            this.#rate = this.speed;
            break;
        }
    }

    // ------------------------------------------------------------ properties

    get speed() {
        const speed = this.hasAttribute("speed") ? Number.parseFloat(this.getAttribute("speed")) : 1;
        return speed >= 0 ? Math.min(speed, SPEED_MAX) : speed < 0 ? 0 : 1;
    }
    set speed(value) { this.setAttribute("speed", String(value)); }

    // A promise of the program that `src`, or what stands inside, compiles to; another one for every load.
    get ready() { return this.#ready; }

    get program() { return this.#program; }
    // One that the page has compiled, and frees; several players may have it.
    set program(program) {
        this.#load?.abort();
        this.#load = null;
        this.#reload = false;
        this.#release();
        if (!program) { return; }
        if (this.#settled) { this.#renewReady(); }
        this.#load = new AbortController();
        this.#finish(this.#load, program, false, this.src ? new URL(this.src, this.baseURI) : null)
            .catch(this.#failing(this.#load));
    }

    get player() { return this.#player; }
    get pictureSet() { return this.#pictures; }
    get stage() { return this.#stage; }
    get now() { return this.#player ? this.#player.now : 0; } // ms
    get currentState() { return this.#player?.state?.name ?? null; }
    // Whether time passes: there is something to play, it is seen, and nobody has paused it.
    get playing() { return ZoetropePlayer.#playing.has(this); }

    // ------------------------------------------------------------ what a page may ask

    request(state) { return this.#act((player) => player.request(state)) ?? false; }
    trigger(group, options) { return this.#act((player) => player.trigger(group, options)) ?? false; }
    release(options) { return this.#act((player) => player.release(options)) ?? false; }
    set(name, value) { return this.#act((player) => player.set(name, value)); }
    get(name) { return this.#player?.get(name); }
    play(clip, options = { interrupt: true }) { return this.#act((player) => player.play(clip, options)) ?? false; }
    start(clip, options) { return this.#act((player) => player.start(clip, options)); }
    cancel(run) { return this.#act((player) => player.cancel(run)) ?? false; }
    flash(cel, ms) { return this.#act((player) => player.flash(cel, ms)) ?? false; }
    status(type, options) { return this.#act((player) => player.status(type, options)) ?? false; }
    speaking(on) { return this.#act((player) => player.speaking(on)); }
    mouth(level) { return this.#act((player) => player.mouth(level)); }
    // A click on what is shown. Not click(), which every element has and which fires an event.
    poke() { return this.#act((player) => player.click()) ?? false; }

    // To a time of its own, in ms; back only with a `history`.
    seek(ms) {
        if (!this.#player) { return; }
        this.#last = performance.now(); // what has passed since the last frame does not count: the time is named
        this.#carryNs = 0;
        const player = this.#player;
        if (this.hasAttribute("history")) {
            this.#tell(player.seek(ms));
        } else if (ms >= player.now) {
            this.#tell(player.advance(ms - player.now));
        } else {
            throw new RangeError("zoetrope-player: going back wants the attribute history");
        }
        this.#draw();
    }

    // As it looks now, drawn anew (a WebGL canvas cannot be read later): for drawImage, toBlob and the like.
    snapshot() {
        this.#draw();
        const copy = new OffscreenCanvas(Math.max(1, this.#canvas.width), Math.max(1, this.#canvas.height));
        copy.getContext("2d").drawImage(this.#canvas, 0, 0);
        return copy;
    }

    // ------------------------------------------------------------ loading

    #renewReady() {
        this.#ready = new Promise((resolve, reject) => { this.#resolve = resolve; this.#reject = reject; });
        this.#ready.catch(() => {}); // nobody has to ask for it
        this.#settled = false;
    }

    // Several attributes set one after the other are one load.
    #startLoad() {
        if (!this.isConnected || this.#reload) { return; }
        this.#reload = true;
        if (this.#settled) { this.#renewReady(); } // one that still waits waits for this load
        queueMicrotask(() => {
            if (!this.#reload || !this.isConnected) { this.#reload = false; return; }
            this.#reload = false;
            this.#begin();
        });
    }

    #begin() {
        this.#load?.abort();
        const script = [...this.children].find((child) => child.localName === "script" && /json/.test(child.type));
        const text = script?.textContent ?? "";
        const src = this.getAttribute("src");
        this.#load = null;
        if (src === null && text.trim() === "") { this.#release(); return; }
        const load = this.#load = new AbortController();
        this.setAttribute("aria-busy", "true");
        this.#fetch(load, src, text, script).catch(this.#failing(load));
    }

    async #fetch(load, src, text, script) {
        const url = src === null ? null : new URL(src, this.baseURI);
        const options = { signal: load.signal };
        if (this.format) { options.format = this.format; }
        if (this.profile) { options.profile = choice("profile", this.profile); }
        if (url === null) {
            options.name = script.getAttribute("name") ?? "inline.json";
            options.base = this.baseURI;
        }
        let files = null;
        if (this.hasAttribute("files")) {
            files = new Listed(this.getAttribute("files"), url ?? new URL(this.baseURI), load.signal);
            options.files = await files.given();
            options.read = (name) => files.read(name);
        }
        const program = await compile(url ?? text, options);
        if (load.signal.aborted) { program.free(); return; }
        this.#release();
        await this.#finish(load, program, true, url, files);
    }

    async #finish(load, program, owned, url, files) {
        this.#program = program;
        this.#ownsProgram = owned;
        const pictures = new Pictures(program);
        this.#pictures = pictures;
        try {
            const from = files ? { read: (name) => files.read(name) } : {};
            await pictures.load({ base: url ?? new URL(this.baseURI), signal: load.signal, ...from });
            await this.#named(pictures, load.signal);
        } finally {
            if (load.signal.aborted) { pictures.free(); }
        }
        if (load.signal.aborted) { return; }
        this.removeAttribute("aria-busy");
        this.#error.hidden = true;
        this.#proportions(program.stage);
        await this.#newStage();
        if (load.signal.aborted) { return; }
        this.#makePlayer();
        this.#label();
        this.#settled = true;
        this.#resolve(program);
        this.dispatchEvent(new CustomEvent("ready", { detail: { program, player: this.#player } }));
        if (this.#player === null) { return; } // whoever was told has taken it away
        this.#tell(this.#player.advance(0));
        this.#draw();
        this.#schedule();
    }

    // The pictures that the page has for what has none: a pattern with {name} in it.
    async #named(pictures, signal) {
        const pattern = this.pictures;
        if (!pattern) { return; }
        await Promise.all([...pictures.missing].map(async (name) => {
            const url = new URL(pattern.replaceAll("{name}", encodeURIComponent(name)), this.baseURI);
            const bytes = await bytesOf(url, signal);
            const bitmap = await createImageBitmap(new Blob([bytes]), {
                premultiplyAlpha: "none", colorSpaceConversion: "none",
            });
            if (!signal.aborted) { pictures.set(name, bitmap); }
        }));
    }

    #failing(load) {
        return (error) => {
            if (load.signal.aborted) { return; } // another load has taken its place
            this.#release();
            this.removeAttribute("aria-busy");
            this.#show(error);
            this.#settled = true;
            this.#reject(error);
            const detail = { error, message: String(error?.message ?? error), diagnostics: error?.diagnostics ?? [] };
            this.dispatchEvent(new CustomEvent("error", { detail }));
        };
    }

    #show(error) {
        const found = error?.diagnostics ?? [];
        const first = found.find((one) => one.severity === "error") ?? found[0];
        const part = (name, tag, text) => {
            const element = document.createElement(tag);
            element.setAttribute("part", name);
            element.textContent = text;
            return element;
        };
        const lines = [part("message", "p", first ? first.message : String(error?.message ?? error))];
        const place = first ? placeOf(first) : "";
        if (place) { lines.unshift(part("place", "code", place)); }
        if (first?.hint) { lines.push(part("hint", "p", first.hint)); }
        const others = found.filter((one) => one.severity === "error").length - 1;
        if (others > 0) { lines.push(part("more", "p", `and ${others} more`)); }
        this.#error.replaceChildren(...lines);
        this.#error.hidden = false;
    }

    // ------------------------------------------------------------ what is played

    #motionReduced() {
        const wish = choice("reduced-motion", this.reducedMotion);
        return wish === "auto" ? ZoetropePlayer.#shared.motion.matches : wish === "reduce";
    }

    #newPlayer() {
        if (!this.#player) { return; }
        this.#makePlayer();
        this.#tell(this.#player.advance(0));
        this.#draw();
        this.#schedule();
    }

    #makePlayer() {
        this.#player?.free();
        const clip = this.getAttribute("clip");
        const options = {
            reducedMotion: this.#motionReduced(), history: this.hasAttribute("history"), idle: clip !== null,
        };
        if (this.hasAttribute("seed")) { options.seed = seedOf(this.seed); }
        this.#player = new Player(this.#program, options);
        this.#carryNs = 0;
        this.#missed = [];
        this.#missedCount = 0;
        this.#unseenSince = null;
        this.#running = false; // until #schedule
        this.#rate = this.speed;
        this.#setAll();
        if (clip !== null) {
            if (this.#program.clips.some((one) => one.name === clip)) {
                this.#player.start(clip);
            } else {
                this.#complain(`it has no clip "${clip}"`);
            }
        } else if (this.hasAttribute("state")) {
            if (!this.#player.request(this.state)) { this.#complain(`it has no state "${this.state}"`); }
        }
        this.#motionChanged();
    }

    // What has no way of its own to move less stands still until somebody wants to see it.
    #motionChanged() {
        const player = this.#player;
        if (!player) { return; }
        const reduced = this.#motionReduced();
        if (player.reducedMotion !== reduced) { this.#act(() => { player.reducedMotion = reduced; }); }
        const gentle = this.#program.clips.some((clip) => clip.reduced);
        if (reduced && !gentle && !this.paused) {
            this.#still = true;
            this.paused = true;
        } else if ((!reduced || gentle) && this.#still) {
            this.paused = false;
        }
        this.#play.hidden = !this.#still;
    }

    #ask(name) {
        const machine = this.#program.states.some((state) => state.clip);
        const done = machine ? this.#player.trigger(name) : this.#player.request(name);
        if (!done) { this.#complain(`no way leads to a state "${name}"`); }
    }

    #setAll() {
        for (const word of (this.params ?? "").split(/[\s;]+/)) {
            const [name, value] = word.split("=");
            if (name === "") { continue; }
            try {
                this.#player.set(name, Number(value));
            } catch (error) {
                this.#complain(error.message);
            }
        }
    }

    // Something that a page got wrong, and that stops nothing.
    #complain(message) {
        this.dispatchEvent(new CustomEvent("error", { detail: { error: null, message, diagnostics: [] } }));
    }

    // Whatever is asked is asked at the present time, also where that has not been played yet.
    #act(call) {
        if (!this.#player) { return undefined; }
        this.#step(performance.now());
        const result = call(this.#player);
        if (!this.playing) { // so that it shows, and is told, though no time passes
            this.#tell(this.#player.advance(0));
            this.#draw();
        }
        return result;
    }

    // ------------------------------------------------------------ time

    get #seen() { return this.#onScreen && document.visibilityState !== "hidden"; }

    // Whether time passes, and whether anybody sees it, is decided anew.
    #schedule() {
        const now = performance.now();
        this.#step(now);
        const seen = this.#seen;
        this.#running = this.#player !== null && this.isConnected && !this.paused;
        if (this.#player !== null) {
            if (seen) { this.#arrive(now); } else { this.#leave(now); }
        }
        if (this.#running && seen && this.#player !== null) { // the page may have taken it away meanwhile
            ZoetropePlayer.#playing.add(this);
            ZoetropePlayer.#keepTicking();
        } else {
            ZoetropePlayer.#playing.delete(this);
        }
    }

    #leave(now) {
        if (this.#unseenSince !== null) { return; }
        this.#unseenSince = now;
        this.#player.hidden = true; // all stands still, but signals and the states that they lead to
    }

    // Back from where nobody saw it: one step for all of the time, one event for all that happened.
    #arrive(now) {
        if (this.#unseenSince === null) { return; }
        this.#step(now);
        const elapsed = Math.max(0, now - this.#unseenSince);
        const player = this.#player;
        const detail = { elapsed, events: this.#missed, dropped: this.#missedCount - this.#missed.length };
        this.#unseenSince = null;
        this.#missed = [];
        this.#missedCount = 0;
        player.hidden = false;
        this.dispatchEvent(new CustomEvent("catchup", { detail }));
        if (this.#player === player) { this.#draw(); }
    }

    // Plays the time that has passed since the last step, if any passes.
    #step(now) {
        const elapsed = Math.max(0, now - this.#last);
        this.#last = now;
        if (!this.#running || this.#player === null) { return; }
        const ns = elapsed * 1e6 * this.#rate + this.#carryNs;
        const whole = Math.floor(ns);
        this.#carryNs = ns - whole;
        this.#tell(this.#player.advance(whole / 1e6));
    }

    #frame(now) {
        try {
            if (now - this.#last > FRAME_GAP_MS) { // the machine slept, or the page was busy
                this.#leave(this.#last);
                this.#arrive(now);
            } else {
                this.#step(now);
                this.#draw();
            }
        } catch (error) {
            ZoetropePlayer.#playing.delete(this);
            this.#failing(this.#load ?? new AbortController())(error);
        }
    }

    #tell(events) {
        if (this.#unseenSince !== null) {
            this.#missedCount += events.length;
            this.#missed.push(...events.slice(0, Math.max(0, MISSED_MAX - this.#missed.length)));
            return;
        }
        for (const event of events) { this.dispatchEvent(new CustomEvent("animation", { detail: event })); }
    }

    // ------------------------------------------------------------ drawing

    #newCanvas() {
        const canvas = document.createElement("canvas");
        canvas.setAttribute("part", "canvas");
        canvas.setAttribute("role", "img");
        return canvas;
    }

    async #newStage() {
        const program = this.#program;
        if (program === null) { return; }
        this.#stage?.free();
        this.#stage = null;
        const canvas = this.#newCanvas(); // one that has had a context of one kind gives no other
        canvas.style.background = this.background ?? "";
        this.#canvas.replaceWith(canvas);
        this.#canvas = canvas;
        this.#label();
        const attempt = this.#stageLoad = {};
        const options = { renderer: choice("renderer", this.renderer), pictures: this.#pictures };
        const stage = await createStage(canvas, program, options);
        if (this.#stageLoad !== attempt || this.#program !== program) { stage.free(); return; }
        this.#stage = stage;
        this.#draw();
    }

    #resized(entry) {
        const device = entry.devicePixelContentBoxSize?.[0];
        const css = entry.contentBoxSize[0];
        let width = Math.round(css.inlineSize * devicePixelRatio);
        let height = Math.round(css.blockSize * devicePixelRatio);
        if (device && Math.abs(device.inlineSize - width) <= 1 && Math.abs(device.blockSize - height) <= 1) {
            width = device.inlineSize; // as it falls on the screen's own grid; not where another screen is emulated
            height = device.blockSize;
        }
        if (width === this.#width && height === this.#height) { return; }
        this.#width = width;
        this.#height = height;
        this.#draw();
    }

    #draw() {
        if (this.#stage === null || this.#player === null || this.#width === 0 || this.#height === 0) { return; }
        if (this.#canvas.width !== this.#width || this.#canvas.height !== this.#height) {
            this.#canvas.width = this.#width;
            this.#canvas.height = this.#height;
        }
        this.#stage.draw(this.#player, {
            width: this.#width, height: this.#height, fit: choice("fit", this.fit),
        });
    }

    // As wide as it is told to be, and as high as the animation's stage makes it.
    #proportions(stage) {
        const width = stage ? Math.abs(stage[2] - stage[0]) : 1;
        const height = stage ? Math.abs(stage[3] - stage[1]) : 1;
        const ratio = width > 0 && height > 0 ? `${width} / ${height}` : "1";
        this.#sheet?.replaceSync(`:host { aspect-ratio: ${ratio}; }`);
    }

    #label() {
        const alt = this.getAttribute("alt");
        if (alt === "") {
            this.#canvas.setAttribute("aria-hidden", "true");
            return;
        }
        this.#canvas.removeAttribute("aria-hidden");
        const file = (this.getAttribute("src") ?? "").split(/[?#]/)[0].split("/").pop().replace(/\.[^.]*$/, "");
        this.#canvas.setAttribute("aria-label", alt ?? (file ? `animation: ${file}` : "animation"));
        this.#play.setAttribute("aria-label", `Play ${alt ?? file}`.trim());
    }

    // ------------------------------------------------------------ the end

    // All that a load has made.
    #release() {
        ZoetropePlayer.#playing.delete(this);
        this.#running = false;
        this.#stageLoad = null;
        this.#stage?.free();
        this.#player?.free();
        this.#pictures?.free();
        if (this.#ownsProgram) { this.#program?.free(); }
        this.#stage = this.#player = this.#pictures = this.#program = null;
        this.#ownsProgram = false;
        this.#unseenSince = null;
    }

    #free() {
        this.#load?.abort();
        this.#load = null;
        this.#reload = false;
        if (this.#settled) { this.#renewReady(); }
        this.#release();
    }

    // Properties that were set before the element was defined hide those of the class.
    #upgrade() {
        for (const name of [...Object.values(TEXTS), ...FLAGS, "speed", "program"]) {
            if (!Object.hasOwn(this, name)) { continue; }
            const value = this[name];
            delete this[name];
            this[name] = value;
        }
    }
}

for (const [attribute, property] of Object.entries(TEXTS)) {
    Object.defineProperty(ZoetropePlayer.prototype, property, {
        get() { return this.getAttribute(attribute); },
        set(value) {
            if (value === null || value === undefined) {
                this.removeAttribute(attribute);
            } else {
                this.setAttribute(attribute, String(value));
            }
        },
        configurable: true, enumerable: true,
    });
}
for (const name of FLAGS) {
    Object.defineProperty(ZoetropePlayer.prototype, name, {
        get() { return this.hasAttribute(name); },
        set(value) { this.toggleAttribute(name, Boolean(value)); },
        configurable: true, enumerable: true,
    });
}

// What the attribute `files` lists is all there is: nothing is looked for, so nothing is asked for in vain.
// A star stands for any part of a name between slashes.
class Listed {
    #urls = new Map(); // by name
    #patterns = [];
    #bytes = new Map(); // promises, by URL
    #base;
    #signal;

    constructor(list, base, signal) {
        for (const name of list.split(/\s+/)) {
            if (name.includes("*")) {
                const parts = name.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
                this.#patterns.push(new RegExp(`^${parts.join("[^/]*")}$`));
            } else if (name !== "") {
                this.#urls.set(name, new URL(name, base));
            }
        }
        this.#base = base;
        this.#signal = signal;
    }

    #fetch(url) {
        if (!this.#bytes.has(url.href)) { this.#bytes.set(url.href, bytesOf(url, this.#signal)); }
        return this.#bytes.get(url.href);
    }

    // Documents beside the first one, of which not all are asked for by name: a pet's animations, a set's other clips.
    async given() {
        const names = [...this.#urls.keys()].filter((name) => /\.json$/.test(name) && !name.startsWith("../"));
        const parts = await Promise.all(names.map((name) => this.#fetch(this.#urls.get(name))));
        return Object.fromEntries(names.map((name, i) => [name, parts[i]]));
    }

    // A name may be below any folder around the first document, so it is the end of what is listed that counts.
    async read(name) {
        const listed = this.#urls.get(name);
        if (listed) { return this.#fetch(listed); }
        const path = name.split("/").map(encodeURIComponent).join("/");
        if (this.#patterns.some((pattern) => pattern.test(name))) { return this.#fetch(new URL(path, this.#base)); }
        const end = `/${path}`;
        const found = [...this.#urls.values()].find((url) => url.pathname.endsWith(end));
        return found ? this.#fetch(found) : null;
    }
}

function choice(name, value) { return CHOICES[name].includes(value) ? value : CHOICES[name][0]; }

// A whole number is itself; of any other text each character counts.
function seedOf(text) {
    if (/^\d+$/.test(text)) { return BigInt.asUintN(64, BigInt(text)); }
    let hash = 0xcbf29ce484222325n; // FNV-1a
    for (const byte of new TextEncoder().encode(text)) {
        hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    }
    return hash;
}

function placeOf(diagnostic) {
    const place = diagnostic.place ?? diagnostic;
    if (!place.file) { return ""; }
    return place.line > 0 ? `${place.file}:${place.line}:${place.column}` : place.file;
}

async function bytesOf(url, signal) {
    const response = await fetch(url, { signal });
    if (!response.ok) { throw new Error(`${url}: ${response.status} ${response.statusText}`.trim()); }
    return new Uint8Array(await response.arrayBuffer());
}

if (globalThis.customElements && !customElements.get("zoetrope-player")) {
    customElements.define("zoetrope-player", ZoetropePlayer);
}
