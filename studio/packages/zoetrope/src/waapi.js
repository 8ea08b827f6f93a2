// Web Animations of petween definitions: from a merged keyframe list (a document of schema zoetrope/frames@1, which
// frames() writes) to the keyframes and timing that element.animate() takes, layer by layer, and a player that runs
// them as the original does. Needs nothing of the WebAssembly module. Called by pages of every kind and by PetStage.

/** The layers, from the outermost element to the innermost. */
export const LAYERS = Object.freeze(["sway", "bounce", "breathe", "transition"]);

/** What all layers turn and scale about, of a square: the point that a pet stands on. */
export const ORIGIN = "50% 90%";

const SCHEMA = "zoetrope/frames@1";
const MODES = ["once", "loop", "alternate", "random-interval"];
const CHANNELS = ["translate", "scale", "rotate", "opacity"];

// A looping pass that touches no layer takes this long, for its events would come without end otherwise.
const EMPTY_PASS_MS = 16.666666;

// How many boundaries one waking may pass. A page that slept longer goes on from where it is.
const BOUNDARY_MAX = 4096;

function fail(place, wanted) {
    throw new TypeError(`${place} must be ${wanted}`);
}

function number(value, low, high, place) {
    if (!(typeof value === "number" && value >= low && value <= high)) {
        fail(place, `a number from ${low} to ${high}`);
    }
    return value;
}

// ---------------------------------------------------------------------------------------------- lists to keyframes

function frameOf(frame, place) {
    if (typeof frame !== "object" || frame === null) {
        fail(place, "an object");
    }
    const made = { offset: number(frame.offset, 0, 1, `${place}.offset`), easing: String(frame.easing ?? "linear") };
    for (const name of CHANNELS) {
        if (frame[name] !== undefined) {
            made[name] = String(frame[name]);
        }
    }
    return made;
}

function listOf(list, place) {
    if (!Array.isArray(list) || list.length < 2) {
        fail(place, "a list of at least two frames");
    }
    return list.map((frame, i) => {
        const made = frameOf(frame, `${place}[${i}]`);
        if (i > 0 && made.offset <= list[i - 1].offset) {
            fail(`${place}[${i}].offset`, "beyond that of the frame before it");
        }
        return made;
    });
}

function repeatOf(repeat) {
    const mode = repeat?.mode;
    if (!MODES.includes(mode)) {
        fail("repeat.mode", `one of ${MODES.join(", ")}`);
    }
    if (mode !== "random-interval") {
        return { mode };
    }
    const minDelayMs = number(repeat.minDelayMs, 0, 1e9, "repeat.minDelayMs");
    return { mode, minDelayMs, maxDelayMs: number(repeat.maxDelayMs, minDelayMs, 1e9, "repeat.maxDelayMs") };
}

// The events by the segment that they come before; the last list is of those behind the last segment.
function eventsOf(events, segmentCount) {
    const before = Array.from({ length: segmentCount + 1 }, () => []);
    if (!Array.isArray(events)) {
        fail("events", "a list");
    }
    events.forEach((event, i) => {
        const index = event?.beforeSegmentIndex;
        if (!Number.isInteger(index) || index < 0 || index > segmentCount) {
            fail(`events[${i}].beforeSegmentIndex`, `a whole number from 0 to ${segmentCount}`);
        }
        number(event.at, 0, 1, `events[${i}].at`);
        before[index].push(Object.freeze({ ...event }));
    });
    return before;
}

function documentOf(frames) {
    const value = typeof frames === "string" ? JSON.parse(frames) : frames;
    if (Array.isArray(value)) {
        throw new TypeError("these are the frames of several animations: hand over one of them");
    }
    if (value?.schema !== SCHEMA) {
        fail("frames", `a document of schema ${SCHEMA}`);
    }
    if (!Array.isArray(value.segments) || value.segments.length === 0) {
        fail("segments", "a list of at least one segment");
    }
    return value;
}

function segmentOf(segment, i, durationMs) {
    const place = `segments[${i}]`;
    const start = number(segment?.start, 0, 1, `${place}.start`);
    const end = number(segment.end, start, 1, `${place}.end`);
    const lists = {};
    for (const [layer, list] of Object.entries(segment.layers ?? {})) {
        if (!LAYERS.includes(layer)) {
            fail(`${place}.layers`, `of ${LAYERS.join(", ")}, not "${layer}"`);
        }
        lists[layer] = listOf(list, `${place}.layers.${layer}`);
    }
    return {
        start, end, startMs: start * durationMs, endMs: end * durationMs, durationMs: (end - start) * durationMs, lists,
    };
}

/**
 * What runs when: for each segment the keyframes and timing of each layer that it touches, as `element.animate()` takes
 * them, and the events that come before it.
 */
export function animations(frames, options = {}) {
    const source = documentOf(frames);
    const durationMs = number(source.durationMs, 1e-6, 1e9, "durationMs");
    const repeat = repeatOf(source.repeat);
    const cut = source.segments.map((segment, i) => segmentOf(segment, i, durationMs));
    const before = eventsOf(source.events ?? [], cut.length);
    const layers = LAYERS.filter((layer) => cut.some((segment) => segment.lists[layer]));
    const eventless = before.every((list) => list.length === 0);
    const endless = eventless && layers.length > 0 && (repeat.mode === "loop" || repeat.mode === "alternate");
    if (repeat.mode === "alternate" && !eventless) {
        throw new TypeError("an animation that alternates has no events");
    }
    const timing = (segment, i) => ({
        duration: segment.durationMs,
        iterations: endless ? Infinity : 1,
        direction: endless && repeat.mode === "alternate" ? "alternate" : "normal",
        easing: "linear",
        // Values meet at a cut, so the end of a segment holds until the next one is there; that of a pass does not.
        fill: i + 1 < cut.length ? "forwards" : "none",
        composite: options.composite ?? "replace",
    });
    const segments = cut.map((segment, i) => ({
        index: i,
        startMs: segment.startMs,
        endMs: segment.endMs,
        durationMs: segment.durationMs,
        events: before[i],
        animations: layers.filter((layer) => segment.lists[layer]).map((layer) => ({
            layer, keyframes: segment.lists[layer], timing: timing(segment, i),
        })),
    }));
    return {
        id: String(source.definitionId), durationMs, repeat, layers, endless,
        reducedMotion: source.reducedMotion === true, segments, lastEvents: before[cut.length],
    };
}

/**
 * One layer of a whole pass as one list, cuts and all, and its timing: `element.animate(list, timing)`. Events are left
 * out, and so are the waits of random-interval. Null: the layer is not touched.
 */
export function keyframes(frames, layer, options = {}) {
    const plan = animations(frames, options);
    const found = plan.segments.flatMap((segment) => segment.animations.filter((animation) => animation.layer === layer)
        .map((animation) => ({ segment, animation })));
    if (found.length === 0) {
        return null;
    }
    const list = [];
    for (const { segment, animation } of found) {
        const start = segment.startMs / plan.durationMs, end = segment.endMs / plan.durationMs;
        const placed = animation.keyframes.map((frame) => ({ ...frame, offset: start + frame.offset * (end - start) }));
        placed[0].offset = start;
        placed[placed.length - 1].offset = end;
        list.pop(); // the end of the segment before is where this one begins, and this one says how it goes on
        list.push(...placed);
    }
    const repeats = plan.repeat.mode === "loop" || plan.repeat.mode === "alternate";
    return {
        keyframes: list,
        timing: {
            ...found[0].animation.timing, duration: plan.durationMs, fill: "none", iterations: repeats ? Infinity : 1,
            direction: plan.repeat.mode === "alternate" ? "alternate" : "normal",
        },
    };
}

// ---------------------------------------------------------------------------------------------- elements

/**
 * The nested boxes that petween has, in `parent`: a square whose layers are inside each other and turn about the point
 * that a pet stands on. `root` is the outermost of them, `transition` the innermost.
 */
export function createLayers(parent, { size = 160 } = {}) {
    const made = {};
    const add = (name, into) => {
        const box = parent.ownerDocument.createElement("div");
        box.style.cssText = `position:absolute;left:0;top:0;width:${size}px;height:${size}px;` +
            `transform-origin:${ORIGIN}`;
        box.dataset.layer = name;
        into.append(box);
        made[name] = box;
        return box;
    };
    LAYERS.reduce((into, layer) => add(layer, into), add("root", parent));
    return made;
}

function targetsOf(elements, plan) {
    if (typeof elements?.animate === "function") {
        if (plan.layers.length > 1) {
            throw new TypeError(`${plan.id} moves ${plan.layers.join(" and ")}: an element for each is needed`);
        }
        return { [plan.layers[0]]: elements };
    }
    for (const layer of plan.layers) {
        if (elements?.[layer] !== null && typeof elements?.[layer]?.animate !== "function") {
            throw new TypeError(`${plan.id} moves ${layer}: elements.${layer} must be an element, or null for none`);
        }
    }
    return elements;
}

/** Starts the animations of one segment. Elements that are null are left out. */
function install(elements, segment) {
    return segment.animations.filter(({ layer }) => elements[layer])
        .map(({ layer, keyframes: list, timing }) => elements[layer].animate(list, timing));
}

/** Stands still there; without waiting for a frame, as pause() alone would. */
export function holdAt(animation, localMs) {
    animation.pause();
    animation.currentTime = localMs;
}

// ---------------------------------------------------------------------------------------------- playing

const RUNNING = "running", PAUSED = "paused", FINISHED = "finished", CANCELLED = "cancelled";
const WAIT = "wait", SEGMENT = "segment", REST = "rest";

function report(error) {
    if (typeof globalThis.reportError === "function") {
        globalThis.reportError(error); // a listener that fails must not break the run
    } else {
        setTimeout(() => { throw error; });
    }
}

/** A definition being played into elements. Made by playInto(). */
class Playback {
    #plan;
    #elements;
    #options;
    #document;
    #timeline;
    #rate;
    #state = RUNNING;
    #stretch = SEGMENT; // what the present stretch of time is
    #index = 0;         // of the segment
    #pass = 0;          // begun so far
    #begin = 0;         // of the pass on the timeline; WAIT: of the wait
    #waitMs = 0;
    #running = [];      // animations of the present segment
    #stale = true;      // they are those of another one
    #jumps = 0;         // calls of seek()
    #clock = null;      // wakes us at the end of the present stretch
    #now = null;        // while boundaries are done: the time of the one at hand
    #heldAt = null;     // paused, or hidden: since when
    #paused = false;
    #hidden = false;
    #forget = [];       // listeners of ours
    #settle;

    constructor(elements, frames, options) {
        this.#plan = animations(frames, options);
        this.#elements = targetsOf(elements, this.#plan);
        this.#options = options;
        const any = Object.values(this.#elements).find((element) => element);
        this.#document = options.document ?? any?.ownerDocument ?? globalThis.document;
        this.#timeline = this.#document.timeline;
        this.#rate = checkRate(options.rate ?? 1);
        this.finished = new Promise((resolve) => { this.#settle = resolve; });
    }

    get plan() { return this.#plan; }
    get state() { return this.#state; }
    get waiting() { return this.#isLive() && this.#stretch === WAIT; }
    get pass() { return this.#pass; }
    get animations() { return [...this.#running]; }

    /** Since the present pass began, or its wait; of what runs without end, since its start. */
    get localMs() { return this.#isLive() ? Math.max(0, (this.#time() - this.#begin) * this.#rate) : 0; }

    get rate() { return this.#rate; }
    set rate(rate) {
        const local = this.localMs;
        this.#rate = checkRate(rate);
        if (this.#isLive()) {
            this.#begin = this.#time() - local / this.#rate;
            this.#place();
        }
    }

    pause() {
        if (this.#state === RUNNING) {
            this.#state = PAUSED;
            this.#paused = true;
            this.#hold();
        }
    }

    resume() {
        if (this.#state === PAUSED) {
            this.#state = RUNNING;
            this.#paused = false;
            this.#release();
        }
    }

    cancel() { this.#end(CANCELLED); }

    /** To this time of the present pass; a wait ends. Nothing is told of what lies between. */
    seek(ms) {
        if (!this.#isLive()) {
            return;
        }
        const plan = this.#plan;
        const local = Math.min(Math.max(0, +ms || 0), plan.endless ? Infinity : plan.durationMs);
        const last = plan.segments.length - 1;
        const index = plan.endless ? 0 : plan.segments.findIndex((segment) => local < segment.endMs);
        if (this.#stretch === WAIT) {
            this.#pass++;
        }
        this.#begin = this.#time() - local / this.#rate;
        this.#enter(index < 0 ? last : index);
        this.#jumps++;
        this.#install();
    }

    #isLive() { return this.#state === RUNNING || this.#state === PAUSED; }
    #time() { return this.#now ?? this.#heldAt ?? this.#timeline.currentTime ?? 0; }
    #frozen() { return this.#paused || this.#hidden; }

    start() {
        const { signal, hidden = "freeze" } = this.#options;
        const listen = (target, type, call) => {
            target.addEventListener(type, call);
            this.#forget.push(() => target.removeEventListener(type, call));
        };
        if (signal?.aborted) {
            this.cancel();
            return;
        }
        if (signal) {
            listen(signal, "abort", () => this.cancel());
        }
        if (hidden === "freeze") {
            this.#hidden = this.#document.hidden;
            listen(this.#document, "visibilitychange", () => this.#look());
        }
        const now = this.#options.at ?? this.#timeline.currentTime ?? 0;
        this.#heldAt = this.#frozen() ? now : null;
        this.#run(now, () => this.#opening(now));
    }

    // Timelines stand still while nobody sees the page and jump when it is shown again, so that frame is waited for.
    #look() {
        if (this.#document.hidden) {
            this.#hidden = true;
            this.#hold();
        } else {
            this.#document.defaultView.requestAnimationFrame(() => {
                if (!this.#document.hidden && this.#hidden) {
                    this.#hidden = false;
                    this.#release();
                }
            });
        }
    }

    #hold() {
        if (this.#isLive() && this.#heldAt === null) {
            this.#heldAt = this.#time();
            this.#place();
        }
    }

    #release() {
        if (this.#isLive() && this.#heldAt !== null && !this.#frozen()) {
            const now = this.#now ?? this.#timeline.currentTime ?? 0;
            this.#begin += now - this.#heldAt;
            this.#heldAt = null;
            this.#place();
        }
    }

    // ---- boundaries

    // Does `first` at `at`, and then all that is due by now, each at its own time, so that nothing drifts.
    #run(at, first) {
        const now = Math.max(at, this.#heldAt ?? this.#timeline.currentTime ?? 0);
        this.#now = at;
        first();
        for (let count = 1; this.#isLive() && !this.#frozen(); count++) {
            const due = this.#due();
            if (!(due <= now)) {
                break;
            }
            if (count > BOUNDARY_MAX) { // it has slept: what is left of the debt is forgiven
                this.#begin += now - due;
                break;
            }
            this.#now = due;
            this.#boundary(due);
        }
        this.#now = null;
        if (this.#isLive()) {
            this.#install();
        }
    }

    #opening(at) {
        if (this.#plan.repeat.mode === "random-interval") {
            this.#wait(at);
        } else {
            this.#beginPass(at);
        }
    }

    #wait(at) {
        const { minDelayMs, maxDelayMs } = this.#plan.repeat;
        const u = Math.min(Math.max(0, +(this.#options.random ?? Math.random)() || 0), 1);
        this.#stretch = WAIT;
        this.#stale = true;
        this.#begin = at;
        this.#waitMs = minDelayMs + u * (maxDelayMs - minDelayMs);
    }

    #beginPass(at) {
        this.#begin = at;
        this.#pass++;
        this.#enter(0);
        if (this.#fire(this.#plan.segments[0].events) && this.#plan.layers.length === 0) {
            this.#emptyPass(at);
        }
    }

    #enter(index) {
        this.#stretch = SEGMENT;
        this.#index = index;
        this.#stale = true;
    }

    // What touches no layer takes no time.
    #emptyPass(at) {
        const { segments, lastEvents, repeat } = this.#plan;
        const lists = [...segments.slice(1).map((segment) => segment.events), lastEvents];
        if (!lists.every((events) => this.#fire(events))) {
            return;
        }
        if (repeat.mode === "random-interval") {
            this.#wait(at);
        } else if (repeat.mode === "once" || (segments[0].events.length === 0 && lists.every((l) => l.length === 0))) {
            this.#end(FINISHED);
        } else {
            this.#stretch = REST;
        }
    }

    #due() {
        switch (this.#stretch) {
        case WAIT: return this.#begin + this.#waitMs / this.#rate;
        case REST: return this.#begin + EMPTY_PASS_MS / this.#rate;
        default: return this.#plan.endless ? Infinity
            : this.#begin + this.#plan.segments[this.#index].endMs / this.#rate;
        }
    }

    #boundary(at) {
        if (this.#stretch !== SEGMENT) {
            this.#beginPass(at);
            return;
        }
        const next = this.#index + 1;
        if (next < this.#plan.segments.length) {
            this.#enter(next);
            this.#fire(this.#plan.segments[next].events);
            return;
        }
        if (!this.#fire(this.#plan.lastEvents)) {
            return;
        }
        switch (this.#plan.repeat.mode) {
        case "random-interval": this.#wait(at); break;
        case "once": this.#end(FINISHED); break;
        default: this.#beginPass(at);
        }
    }

    // false: a listener has cancelled or gone elsewhere, so nothing more comes, not even at this instant.
    #fire(events) {
        const jumps = this.#jumps;
        for (const event of events) {
            try {
                this.#options.onevent?.(event, this);
            } catch (error) {
                report(error);
            }
            if (!this.#isLive() || jumps !== this.#jumps) {
                return false;
            }
        }
        return true;
    }

    // ---- animations

    #drop() {
        for (const animation of this.#running) {
            animation.cancel();
        }
        this.#running = [];
    }

    // The present segment's animations take the place of those before. While boundaries are done, that has time.
    #install() {
        if (this.#now !== null) {
            return;
        }
        if (this.#stale) {
            const old = this.#running;
            const segment = this.#stretch === SEGMENT ? this.#plan.segments[this.#index] : null;
            this.#running = segment ? install(this.#elements, segment) : [];
            old.forEach((animation) => animation.cancel());
            this.#stale = false;
        }
        this.#place();
    }

    // Where the present segment's animations, and the clock, stand or run.
    #place() {
        if (this.#now !== null) {
            return;
        }
        const startMs = this.#stretch === SEGMENT ? this.#plan.segments[this.#index].startMs : 0;
        const began = this.#begin + startMs / this.#rate;
        this.#wakeAt(this.#heldAt === null ? this.#due() : Infinity);
        for (const animation of this.#running) {
            animation.playbackRate = this.#rate;
            if (this.#heldAt === null) {
                animation.startTime = began;
            } else {
                holdAt(animation, Math.max(0, (this.#heldAt - began) * this.#rate));
            }
        }
    }

    #wakeAt(time) {
        this.#clock?.cancel();
        this.#clock = null;
        if (time === Infinity) {
            return;
        }
        const now = this.#timeline.currentTime ?? 0;
        const { Animation, KeyframeEffect } = this.#document.defaultView;
        // An animation of nothing keeps the timeline's time, which timers do not.
        const nothing = new KeyframeEffect(null, null, { duration: Math.max(0, time - now) });
        const clock = new Animation(nothing, this.#timeline);
        clock.onfinish = () => {
            if (this.#clock === clock) {
                this.#run(this.#time(), () => {});
            }
        };
        this.#clock = clock;
        clock.startTime = Math.min(now, time);
    }

    #end(state) {
        if (this.#isLive()) {
            this.#state = state;
            this.#clock?.cancel();
            this.#clock = null;
            this.#drop();
            this.#forget.forEach((forget) => forget());
            this.#forget = [];
            this.#settle(state);
        }
    }
}

function checkRate(rate) {
    if (!(rate > 0 && rate < Infinity)) {
        throw new RangeError("the rate must be a number above 0");
    }
    return rate;
}

/** Plays a definition into elements, one for each layer that it moves, as the original does. */
export function playInto(elements, frames, options = {}) {
    const playback = new Playback(elements, frames, options);
    playback.start();
    return playback;
}
