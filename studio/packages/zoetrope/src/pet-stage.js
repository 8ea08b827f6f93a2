// A whole pet in the DOM. The package's Player decides what runs when: states, enters, clicks, waits, pictures; what
// runs is played by the browser, as Web Animations of the merged keyframe lists, so that it stays smooth whatever the
// page is busy with. Once a frame the two are brought together; where nothing has changed, nothing is touched.
import { compile, framesSync, readUrl } from "./compile.js";
import { ZoetropeError } from "./core.js";
import { Player } from "./player.js";
import { animations, createLayers, holdAt, LAYERS, ORIGIN } from "./waapi.js";

const SQUARE = 160;      // px, of the box that all figures of a definition are meant for
const FOOT = [0.5, 0.9]; // of it: where anchors of pictures stand
const NS = 1e6;          // per millisecond

// How far an animation may be from where the player says before it is set right. Frames are longer.
const DRIFT_MS = 0.5;
// While nobody sees the pet: how often signals, and the states that they lead to, are looked after.
const HIDDEN_MS = 1000;

const MADE_HERE = Symbol("made by open()");
const FORMATS = ["petween", "motion-pack", "pet", "pet-package"];
const MOTIONS = ["auto", "reduce", "no-preference"];
const ENDINGS = ["png", "webp", "jpg", "jpeg"];

// Outlines of particles in a box of their size, as CSS has them.
const SHAPES = {
    strip: "border-radius:1.5px",
    dot: "border-radius:50%",
    star: "clip-path:polygon(50% 0,61% 35%,98% 35%,68% 57%,79% 91%,50% 70%,21% 91%,32% 57%,2% 35%,39% 35%)",
    cross: "clip-path:polygon(50% 0,62% 38%,100% 50%,62% 62%,50% 100%,38% 62%,0 50%,38% 38%)",
};

// ---------------------------------------------------------------------------------------------- where lists come from

function textOf(input) {
    if (typeof input === "string") {
        return input;
    }
    const isBytes = input instanceof ArrayBuffer || ArrayBuffer.isView(input);
    return isBytes ? new TextDecoder().decode(input) : JSON.stringify(input);
}

/** The merged lists of what a program's clips were made of, by their names, made when they are first asked for. */
class Lists {
    #texts = new Map(); // of definitions and packs, by the ids in them
    #plans = new Map();
    #profile;

    constructor(inputs, profile) {
        this.#profile = profile;
        for (const input of inputs) {
            this.#take(input);
        }
    }

    // Of two definitions with one id the first counts, as for the program. What is no animation is left alone.
    #take(input) {
        const text = textOf(input);
        let value;
        try {
            value = JSON.parse(text);
        } catch {
            return; // comments, or no JSON at all: whoever compiled it has said so
        }
        const pack = value?.motionPack ?? value;
        const ids = Array.isArray(pack?.animations) ? pack.animations.map((animation) => animation?.id) : [value?.id];
        const source = pack === value ? text : JSON.stringify(pack);
        for (const id of ids) {
            if (typeof id === "string" && !this.#texts.has(id)) {
                this.#texts.set(id, source);
            }
        }
    }

    /** What a run plays. */
    plan(run, twin) {
        const strength = run.params[0];
        const key = [run.clip, strength, run.durationMs, run.repeat, twin].join(" ");
        let plan = this.#plans.get(key);
        if (!plan) {
            const input = this.#texts.get(run.clip) ?? run.clip; // a built-in is called by its name
            // How long is waited is the player's affair.
            const waits = run.repeat === "random-interval" ? { delayMsMin: 1, delayMsMax: 1 } : {};
            const lists = framesSync(input, {
                clip: run.clip, profile: this.#profile, durationMs: run.durationMs, repeat: run.repeat,
                reducedMotion: twin, ...(strength === undefined ? {} : { strength }), ...waits,
            });
            plan = { ...animations(lists), key };
            this.#plans.set(key, plan);
        }
        return plan;
    }
}

// ---------------------------------------------------------------------------------------------- pictures

function loaded(image, src) {
    image.decoding = "sync"; // decoded before it is shown: a swap must not flash
    image.alt = "";
    image.draggable = false;
    image.src = src;
    return image.decode().then(() => image);
}

/** Elements that show the cels of a program. */
class Pictures {
    #document;
    #into;
    #elements = new Map(); // by the cel's name
    #urls = [];
    #shown = null;
    #clickable;

    constructor(into, clickable) {
        this.#document = into.ownerDocument;
        this.#into = into;
        this.#clickable = clickable;
    }

    async load(program, given, base, signal) {
        await Promise.all(program.cels.map(async (cel) => {
            const element = await this.#find(cel, given, base, signal);
            if (element && !signal?.aborted) {
                this.#place(cel, element);
            }
        }));
        signal?.throwIfAborted();
    }

    has(name) { return this.#elements.has(name); }

    async #find(cel, given, base, signal) {
        if (typeof given === "function" || typeof given === "object") {
            const found = typeof given === "function" ? await given(cel.name) : given?.[cel.name];
            return found ? this.#elementOf(found, base, cel.name) : null;
        }
        for (const name of typeof given === "string" ? [namedBy(given, cel.name)] : candidates(cel)) {
            const url = new URL(name, base ?? this.#document.baseURI);
            const bytes = await readUrl(url, "bytes", signal);
            if (bytes instanceof Uint8Array) {
                return this.#elementOf(new Blob([bytes]), base, url.href);
            }
        }
        return null;
    }

    async #elementOf(source, base, where) {
        if (source instanceof this.#document.defaultView.Element) {
            return source;
        }
        let url = source;
        if (source instanceof Blob) {
            url = URL.createObjectURL(source);
            this.#urls.push(url);
        } else {
            url = new URL(source, base ?? this.#document.baseURI).href;
        }
        try {
            return await loaded(this.#document.createElement("img"), url);
        } catch (cause) {
            throw new ZoetropeError(`${where}: this picture cannot be shown`, { status: "unsupported", cause });
        }
    }

    // The whole picture fits the square, times its zoom, with its anchor on the foot.
    #place(cel, element) {
        const w = element.naturalWidth || element.width || 0, h = element.naturalHeight || element.height || 0;
        const known = typeof w === "number" && w > 0 && typeof h === "number" && h > 0;
        const fit = known ? Math.min(SQUARE / w, SQUARE / h) * cel.zoom : cel.zoom;
        const width = (known ? w : SQUARE) * fit, height = (known ? h : SQUARE) * fit;
        const box = this.#document.createElement("div");
        box.dataset.cel = cel.name;
        box.style.cssText = `position:absolute;visibility:hidden;left:${FOOT[0] * SQUARE - cel.anchorX * width}px;` +
            `top:${FOOT[1] * SQUARE - cel.anchorY * height}px;width:${width}px;height:${height}px;` +
            `pointer-events:${this.#clickable ? "auto" : "none"}`;
        element.style.cssText += ";display:block;width:100%;height:100%";
        box.append(element);
        this.#into.append(box);
        this.#elements.set(cel.name, box);
    }

    /** null: none. */
    show(name) {
        const next = this.#elements.get(name) ?? null;
        if (next !== this.#shown) {
            if (this.#shown) { this.#shown.style.visibility = "hidden"; }
            if (next) { next.style.visibility = ""; }
            this.#shown = next;
        }
    }

    /** The box of what is on show. */
    get shown() { return this.#shown; }

    free() {
        this.#urls.forEach((url) => URL.revokeObjectURL(url));
        this.#urls = [];
        this.#elements.clear();
    }
}

function namedBy(template, name) { return template.replaceAll("{name}", encodeURIComponent(name)); }

// Where a pet's folder may have the picture: a package by the picture's id, a plain folder by the state's name.
function candidates(cel) {
    if (cel.image) {
        const image = encodeURIComponent(cel.image);
        return [...ENDINGS.map((ending) => `assets/${image}.${ending}`), image];
    }
    return cel.name.includes(":") ? [] : ENDINGS.map((ending) => `${encodeURIComponent(cel.name)}.${ending}`);
}

// ---------------------------------------------------------------------------------------------- particles

/** Elements for the particles alive; they are used again for later ones. */
class Particles {
    #into;
    #pool = [];

    constructor(into) { this.#into = into; }

    draw(particles) {
        while (this.#pool.length < particles.length) {
            const element = this.#into.ownerDocument.createElement("div");
            this.#into.append(element);
            this.#pool.push({ element, look: "" });
        }
        this.#pool.forEach((slot, i) => {
            const p = particles[i];
            const look = p ? lookOf(p) : "display:none";
            if (slot.look !== look) {
                slot.look = look;
                slot.element.style.cssText = look;
            }
            if (p) {
                slot.element.style.transform = `translate(${p.x}px, ${p.y}px) rotate(${p.turn}deg)`;
                slot.element.style.opacity = String(Math.min(1, Math.max(0, p.opacity)));
            }
        });
    }

    clear() {
        this.#pool.forEach((slot) => slot.element.remove());
        this.#pool = [];
    }
}

function lookOf(p) {
    const [r, g, b] = p.rgba.map((part) => Math.round(255 * Math.min(1, Math.max(0, part))));
    return `position:absolute;left:${(SQUARE - p.width) / 2}px;top:${(SQUARE - p.height) / 2}px;width:${p.width}px;` +
        `height:${p.height}px;background:rgb(${r} ${g} ${b} / ${p.rgba[3]});${SHAPES[p.shape] ?? ""}`;
}

// ---------------------------------------------------------------------------------------------- who holds a layer

/**
 * Of each layer the runs that move it, those that are hidden by others first: the newest lies over the older ones. Runs
 * that combine stand together, where the newest of them stands; all but the first are added to what lies below.
 */
function stacksOf(runs, program) {
    const stacks = {};
    program.layers.forEach((layer, bit) => {
        const here = runs.filter((run) => !run.waiting && ((run.layers >>> bit) & 1) === 1 && LAYERS.includes(layer));
        const newest = new Map();
        for (const run of here) {
            newest.set(run.mix, Math.max(newest.get(run.mix) ?? 0, run.installed));
        }
        const stand = (run) => (run.mix === 0 ? run.installed : newest.get(run.mix));
        here.sort((a, b) => stand(a) - stand(b) || a.installed - b.installed);
        let adds = false; // somewhere below
        stacks[layer] = here.map((run, i) => {
            const add = run.mix !== 0 && i > 0 && here[i - 1].mix === run.mix;
            const entry = { run, add, over: adds && !add };
            adds ||= add;
            return entry;
        });
    });
    return stacks;
}

// Turns are added by another property, for Chromium gets sums of `rotate` wrong. Layers on which runs combine never
// both turn and scale, so it does not matter that `transform` comes after the others.
function addedFrames(list) {
    return list.map(({ rotate, ...frame }) =>
        (rotate === undefined ? frame : { ...frame, transform: `rotate(${rotate})` }));
}

// Whatever is added below, this one hides it.
function coveringFrames(list) { return list.map((frame) => ({ ...frame, transform: "none" })); }

function segmentAt(plan, localMs) {
    if (plan.endless) {
        return plan.segments[0];
    }
    const at = Math.round(localMs * NS);
    let found = plan.segments[0];
    for (const segment of plan.segments) { // at a cut the later one
        if (Math.floor(segment.startMs * NS + 0.5) <= at) { found = segment; }
    }
    return found;
}

// ---------------------------------------------------------------------------------------------- the stage

function choice(name, value, words) {
    if (!words.includes(value)) {
        throw new TypeError(`${name} must be one of ${words.join(", ")}, not ${JSON.stringify(value)}`);
    }
    return value;
}

function positive(name, value) {
    if (!(typeof value === "number" && value > 0 && value < Infinity)) {
        throw new RangeError(`${name} must be a number above 0`);
    }
    return value;
}

async function filesOf(files, base, signal) {
    if (!Array.isArray(files)) {
        return files ?? {};
    }
    const parts = await Promise.all(files.map(async (name) => {
        const found = await readUrl(new URL(name, base), "bytes", signal);
        if (!(found instanceof Uint8Array)) {
            throw new ZoetropeError(`${new URL(name, base).href} is not there`, { status: "unreachable" });
        }
        return [name, found];
    }));
    return Object.fromEntries(parts);
}

// A text is a document if it can be one, else an address.
function isDocument(input) {
    return typeof input !== "string" || /^[\s\uFEFF]*[{[]/.test(input) || input.startsWith("builtin:");
}

export class PetStage extends EventTarget {
    #options;
    #document;
    #timeline;
    #program;
    #lists;
    #pictures;
    #particles;
    #box;
    #have = new Map();   // by layer: [{ key, animation, plan }], as they lie over each other
    #twins;              // ids of clips that stand for others under reduced motion
    #forget = [];
    #frame = 0;
    #timer = 0;
    #playerAt = 0;       // where the player was,
    #timeAt = null;      // when the timeline was here; null: it is still to begin
    #left = 0;           // where we have left the player; a host may have moved it since
    #speed = 1;
    #paused = false;
    #seen = true;
    #freed = false;
    #follow = "auto";

    /** Loads all that belongs to a pet and puts it into `parent`. It plays at once. */
    static async open(input, options = {}) {
        const { parent, signal } = options;
        if (!parent?.ownerDocument) {
            throw new TypeError("a parent is needed: the element that the pet is to be put into");
        }
        const page = parent.ownerDocument.baseURI;
        const url = isDocument(input) && !(input instanceof URL) ? null : new URL(input, page);
        const base = url ?? new URL(options.base ?? page, page);
        let first = input;
        if (url) {
            first = await readUrl(url, "bytes", signal);
            if (!(first instanceof Uint8Array)) {
                throw new ZoetropeError(`${url.href} is not there`, { status: "unreachable" });
            }
        }
        const files = await filesOf(options.files, base, signal);
        const name = decodeURIComponent(base.pathname.split("/").pop() || "") || "pet.json";
        const program = await compile(first, {
            name: url ? name : "pet.json", files, signal, cels: options.cels, format: options.format,
            profile: options.profile ?? "document",
            read: async () => null, // all that a pet has is handed over
        });
        const stage = new PetStage(MADE_HERE, program, [first, ...Object.values(files)], options);
        try {
            await stage.#pictures.load(program, options.pictures, base, signal);
            stage.#begin();
        } catch (error) {
            stage.free();
            throw error;
        }
        return stage;
    }

    /** @private */
    constructor(key, program, sources, options) {
        super();
        if (key !== MADE_HERE) {
            throw new TypeError("stages are made by PetStage.open()");
        }
        if (!FORMATS.includes(program.format)) {
            program.free();
            throw new ZoetropeError(`a pet is wanted, or a petween animation, not ${program.format}`,
                { status: "unsupported" });
        }
        this.#options = options;
        this.#document = options.parent.ownerDocument;
        this.#timeline = this.#document.timeline;
        this.#program = program;
        this.#lists = new Lists(sources, program.profile);
        this.#speed = positive("speed", options.speed ?? 1);
        const named = new Set();
        const isTwin = (clip) => named.has(clip.name) || !named.add(clip.name);
        this.#twins = new Set(program.clips.filter(isTwin).map((clip) => clip.id));
        this.#follow = choice("reducedMotion", options.reducedMotion ?? "auto", MOTIONS);
        this.player = new Player(program, {
            seed: options.seed, history: options.history ?? false, reducedMotion: this.#wantsLess(),
            effects: options.particles,
        });
        this.#build();
        this.#pictures = new Pictures(this.#box.pictures, options.clickable !== false);
        this.#particles = new Particles(this.#box.particles);
    }

    #build() {
        const { parent, size = SQUARE, label } = this.#options;
        const make = (style) => {
            const element = this.#document.createElement("div");
            element.style.cssText = style;
            return element;
        };
        const scale = positive("size", size) / SQUARE;
        const host = make(`position:relative;width:${size}px;height:${size}px;pointer-events:none`);
        const square = make(`position:absolute;left:0;top:0;width:${SQUARE}px;height:${SQUARE}px;` +
            `transform-origin:0 0;transform:scale(${scale})`);
        host.dataset.pet = "";
        if (label) {
            host.setAttribute("role", "img");
            host.setAttribute("aria-label", label);
        } else {
            host.setAttribute("aria-hidden", "true");
        }
        host.append(square);
        const layers = createLayers(square, { size: SQUARE });
        const pictures = make("position:absolute;inset:0");
        const particles = make("position:absolute;inset:0");
        layers.transition.append(pictures, particles);
        parent.append(host);
        this.#box = { host, layers, pictures, particles };
    }

    // ---- what it is made of

    /** The outermost element: a square of the size asked for. What moves may leave it. */
    get element() { return this.#box.host; }
    /** The elements of the layers, by name. */
    get layers() { return { ...this.#box.layers }; }
    get program() { return this.#program; }
    get now() { return this.player.now; }
    get state() { return this.player.state; }
    /** The name of the picture on show; null: none. */
    get picture() { return this.player.shown; }
    get paused() { return this.#paused; }
    /** The animations that run now, of all layers, what is hidden by others included. */
    get animations() { return [...this.#have.values()].flatMap((list) => list.map((entry) => entry.animation)); }

    // ---- starting

    #listen(target, type, call) {
        target.addEventListener(type, call);
        this.#forget.push(() => target.removeEventListener(type, call));
    }

    #begin() {
        const view = this.#document.defaultView;
        if (this.#options.pictures !== null) {
            for (const cel of this.#program.cels) {
                this.player.setCel(cel.id, this.#pictures.has(cel.name));
            }
        }
        this.#scale();
        this.#listen(this.#document, "visibilitychange", () => this.#look());
        const less = view.matchMedia?.("(prefers-reduced-motion: reduce)");
        if (less) { this.#listen(less, "change", () => this.#motion()); }
        if (this.#options.offscreen !== "play" && typeof view.IntersectionObserver === "function") {
            const observer = new view.IntersectionObserver((entries) => {
                this.#seen = entries[entries.length - 1].isIntersecting;
                this.#look();
            }, { rootMargin: "64px" }); // what moves may be outside its square
            observer.observe(this.#box.host);
            this.#forget.push(() => observer.disconnect());
        }
        if (this.#options.clickable !== false) {
            this.#box.pictures.addEventListener("click", () => this.click());
        }
        const { signal } = this.#options;
        if (signal) { this.#listen(signal, "abort", () => this.free()); }
        this.#paused = this.#options.paused === true;
        this.player.hidden = this.#document.hidden;
        if (this.#options.state) { this.player.request(this.#options.state); }
        this.#anchor();
        this.#tell(this.player.advance(0));
        this.#show();
        this.#schedule();
    }

    // The pet's own size, about the point that it stands on; constant.
    #scale() {
        const whole = this.#program.targets[0]?.name === "pet" ? this.player.sample().transform(0)[0] : 1;
        this.#box.layers.root.style.transform = `scale(${whole})`;
        this.#box.layers.root.style.transformOrigin = ORIGIN;
    }

    // ---- time

    #time() { return this.#timeline.currentTime ?? 0; }

    // From here on the player's clock goes with the timeline's, by one difference and not step by step.
    #anchor(now = this.#time()) {
        this.#timeAt = now;
        this.#playerAt = this.#left = this.player.now;
    }

    #catchUp(now = this.#time()) {
        if (this.#paused || this.#freed || this.#timeAt === null) {
            return;
        }
        this.#playerAt += this.player.now - this.#left;
        const ahead = this.#playerAt + (now - this.#timeAt) * this.#speed - this.player.now;
        const events = ahead > 0 ? this.player.advance(ahead) : [];
        this.#left = this.player.now;
        this.#tell(events);
    }

    #schedule() {
        const view = this.#document.defaultView;
        if (this.#freed || this.#paused || this.#frame !== 0 || this.#timer !== 0) {
            return;
        }
        if (this.player.hidden) {
            this.#timer = view.setTimeout(() => {
                this.#timer = 0;
                this.#catchUp(view.performance.now());
                this.#schedule();
            }, HIDDEN_MS);
        } else {
            this.#frame = view.requestAnimationFrame(() => {
                this.#frame = 0;
                this.#catchUp();
                this.#show();
                this.#schedule();
            });
        }
    }

    #unschedule() {
        const view = this.#document.defaultView;
        view.cancelAnimationFrame(this.#frame);
        view.clearTimeout(this.#timer);
        this.#frame = this.#timer = 0;
    }

    #isSeen() { return this.#seen && !this.#document.hidden; }

    // It has come into sight, or has gone out of it.
    #look() {
        if (this.#freed || this.#paused || this.#isSeen() !== this.player.hidden) {
            return;
        }
        this.#unschedule();
        if (this.#isSeen()) { // a timeline stands still while nobody sees the page, and jumps then: with the next frame
            this.#frame = this.#document.defaultView.requestAnimationFrame(() => {
                this.#frame = 0;
                this.#beSeen();
            });
        } else {
            this.#beSeen();
        }
    }

    #beSeen() {
        this.#catchUp();
        if (this.#freed) {
            return;
        }
        this.player.hidden = !this.#isSeen();
        this.#anchor();
        this.#show();
        this.#schedule();
    }

    #wantsLess() {
        if (this.#follow !== "auto") {
            return this.#follow === "reduce";
        }
        return Boolean(this.#document.defaultView.matchMedia?.("(prefers-reduced-motion: reduce)").matches);
    }

    #motion() {
        const less = this.#wantsLess();
        if (!this.#freed && less !== this.player.reducedMotion) {
            this.#act(() => { this.player.reducedMotion = less; });
        }
    }

    // ---- telling

    #tell(events) {
        for (const event of events) {
            if (this.#freed) {
                return;
            }
            this.dispatchEvent(new CustomEvent("animation", { detail: event }));
        }
    }

    // What a host does happens now, and not when the last frame was.
    #act(call) {
        if (this.#freed) {
            throw new ZoetropeError("this pet has been freed", { status: "invalid" });
        }
        this.#catchUp();
        if (this.#freed) { // by whoever has been told
            return false;
        }
        const result = call();
        this.#tell(this.player.advance(0));
        this.#show();
        return result;
    }

    /** The state of this name is taken at once. false: there is none. */
    request(state) { return this.#act(() => this.player.request(state)); }
    /** What somebody is at. false: no such type. */
    status(type, how) { return this.#act(() => this.player.status(type, how)); }
    click() { return this.#act(() => this.player.click()); }
    play(clip, how) { return this.#act(() => this.player.play(clip, how)); }
    flash(cel, ms) { return this.#act(() => this.player.flash(cel, ms)); }

    pause() {
        if (!this.#paused && !this.#freed) {
            this.#catchUp();
            this.#paused = true;
            this.#unschedule();
            this.#show();
        }
    }

    resume() {
        if (this.#paused && !this.#freed) {
            this.#paused = false;
            this.player.hidden = !this.#isSeen();
            this.#anchor();
            this.#show();
            this.#schedule();
        }
    }

    get speed() { return this.#speed; }
    set speed(speed) {
        positive("speed", speed);
        this.#catchUp();
        this.#speed = speed;
        if (!this.#freed) {
            this.#anchor();
            this.#show();
        }
    }

    get reducedMotion() { return this.#follow; }
    set reducedMotion(follow) {
        this.#follow = choice("reducedMotion", follow, MOTIONS);
        this.#motion();
    }

    /** To any instant of its clock, ms; back only with the option `history`. What is passed is returned, not told. */
    seek(ms) {
        if (this.#freed) {
            return [];
        }
        const events = this.player.seek(ms);
        this.#anchor();
        this.#show();
        return events;
    }

    // ---- showing

    #show() {
        if (this.#freed) {
            return;
        }
        const now = this.#time();
        const held = this.#paused || this.player.hidden;
        for (const [layer, stack] of Object.entries(stacksOf(this.player.runs, this.#program))) {
            if (LAYERS.includes(layer)) {
                this.#stack(layer, stack, now, held);
            }
        }
        this.#pictures.show(this.player.shown);
        this.#particles.draw(this.player.particles());
    }

    // The layer's animations become those of the stack. What stands where it stood is left alone; from the first
    // difference on they are made anew, for the newer lies over the older.
    #stack(layer, stack, now, held) {
        const want = stack.map(({ run, add, over }) => {
            const plan = this.#lists.plan(run, this.#twins.has(run.clipId));
            const segment = segmentAt(plan, run.localMs);
            const key = [run.run, run.installed, segment.index, add, over, plan.key].join(" ");
            return { run, add, over, plan, segment, key };
        });
        const wanted = new Set(want.map((entry) => entry.key));
        const old = this.#have.get(layer) ?? [];
        const gone = old.filter((entry) => !wanted.has(entry.key));
        let kept = old.filter((entry) => wanted.has(entry.key));
        let same = 0;
        while (same < kept.length && kept[same].key === want[same].key) { same++; }
        gone.push(...kept.slice(same));
        kept = kept.slice(0, same);
        for (const entry of want.slice(same)) {
            kept.push({ key: entry.key, animation: this.#animate(layer, entry) });
        }
        gone.forEach((entry) => entry.animation.cancel());
        this.#have.set(layer, kept);
        want.forEach((entry, i) => this.#place(kept[i].animation, entry, now, held));
    }

    #animate(layer, { add, over, segment }) {
        const { keyframes, timing } = segment.animations.find((animation) => animation.layer === layer);
        const list = add ? addedFrames(keyframes) : over ? coveringFrames(keyframes) : keyframes;
        return this.#box.layers[layer].animate(list, { ...timing, composite: add ? "add" : "replace" });
    }

    #place(animation, { run, plan, segment }, now, held) {
        const span = plan.endless ? plan.durationMs * (plan.repeat.mode === "alternate" ? 2 : 1) : Infinity;
        const local = run.localMs - segment.startMs + (run.backward ? plan.durationMs : 0);
        if (animation.playbackRate !== this.#speed) { animation.playbackRate = this.#speed; }
        if (held || run.paused) {
            if (animation.playState !== "paused" || apart(animation.currentTime, local, span) > 0) {
                holdAt(animation, local);
            }
            return;
        }
        const start = now - local / this.#speed;
        const begun = animation.startTime !== null && animation.playState !== "paused";
        if (!begun || apart((now - animation.startTime) * this.#speed, local, span) > DRIFT_MS) {
            animation.startTime = start;
        }
    }

    /** Takes all away: elements, animations, listeners, the player and its program. */
    free() {
        if (this.#freed) {
            return;
        }
        this.#freed = true;
        this.#unschedule();
        this.#forget.forEach((forget) => forget());
        this.#forget = [];
        this.animations.forEach((animation) => animation.cancel());
        this.#have.clear();
        this.#particles.clear();
        this.#pictures.free();
        this.#box.host.remove();
        this.player.free();
        this.#program.free();
    }
}

// How far two positions are apart; of what repeats without end, round its circle.
function apart(a, b, span) {
    const distance = Math.abs((a ?? 0) - b);
    if (span === Infinity) {
        return distance;
    }
    const rest = distance % span;
    return Math.min(rest, span - rest);
}
