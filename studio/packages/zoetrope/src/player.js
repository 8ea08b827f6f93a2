// Players: an instance of a program with its clock. All that a host can tell one and ask of one.
import { alive, outOfMemory, ZoetropeError } from "./core.js";

const NS = 1e6; // per millisecond
const INPUT = {
    cancel: 1, pause: 2, resume: 3, setParam: 4, show: 5, showNext: 6, request: 7, click: 9, flash: 10, play: 11,
    hidden: 12, reducedMotion: 13, cel: 14, trigger: 15, release: 16, speaking: 17, mouth: 18, setLine: 19, ramp: 20,
    poll: 21,
};
const repeats = { once: 0, loop: 1, alternate: 2, "random-interval": 3, hold: 4 };
const FLAG = { reducedMotion: 1, idle: 2, noEffects: 4, hostPolls: 8, history: 16 };

/** Where a player stood, to go back to; of use to players of the same program made with the same options. */
export class Snapshot {
    #bytes;
    #program;
    #key;

    /** @internal */
    constructor(/** @type {Uint8Array} */ bytes, /** @type {any} */ program, /** @type {string} */ key, /** @type {number} */ now) {
        this.#bytes = bytes;
        this.#program = program;
        this.#key = key;
        this.now = now;
        this.size = bytes.length;
        Object.freeze(this);
    }

    // Its bytes hold addresses of the module: nobody else gets to see or change them.
    /** @internal */
    static bytes(/** @type {Snapshot} */ snapshot, /** @type {any} */ program, /** @type {string} */ key) {
        if (!(#bytes in snapshot)) { throw new TypeError("restore() takes what snapshot() has given"); }
        if (snapshot.#program !== program || snapshot.#key !== key) {
            throw new ZoetropeError("a snapshot is of use to players of its program, made with the same options");
        }
        return snapshot.#bytes;
    }
}

function capacity(/** @type {any} */ value, /** @type {string} */ name) {
    if (value === undefined) { return 0; }
    if (!Number.isInteger(value) || value < 1 || value > 1048576) {
        throw new RangeError(`${name} must be a whole number from 1 to 1048576`);
    }
    return value;
}

function finite(/** @type {any} */ value, /** @type {string} */ what) {
    if (typeof value !== "number" || !Number.isFinite(value)) { throw new TypeError(`${what} must be a finite number`); }
    return value;
}

// Whatever is left to the collector is freed by it; free() does not wait that long.
const leftBehind = new FinalizationRegistry((/** @type {() => void} */ free) => free());

export class Player {
    #handle = 0;
    #free;
    #hidden = false;
    #reducedMotion = false;

    /**
     * @param {import("./program.js").Program} program
     * @param {any} [options] seed, reducedMotion, idle, effects, history (true: seek() goes anywhere), capacities
     */
    constructor(program, options = {}) {
        const exports = program.core.exports;
        const seed = BigInt.asUintN(64, BigInt(options.seed ?? 0));
        const history = options.history ?? true;
        let flags = history ? FLAG.history : 0;
        if (options.reducedMotion) { flags |= FLAG.reducedMotion; }
        if (options.idle) { flags |= FLAG.idle; }
        if (options.effects === false) { flags |= FLAG.noEffects; }
        if (options.hostPolls) { flags |= FLAG.hostPolls; }
        const sizes = [
            capacity(options.runCapacity, "runCapacity"), capacity(options.effectCapacity, "effectCapacity"),
            capacity(options.particleCapacity, "particleCapacity"), capacity(options.pointCapacity, "pointCapacity"),
        ];
        const low = Number(seed & 0xffffffffn), high = Number(seed >> 32n);
        const handle = exports.zw_player_new(program.handle, low, high, flags, ...sizes) >>> 0;
        if (handle === 0) { throw outOfMemory(); }
        program.hold();
        this.program = program;
        this.core = program.core;
        this.history = history;
        this.#handle = handle;
        this.#reducedMotion = Boolean(options.reducedMotion);
        this.key = [flags, seed, ...sizes].join();
        let done = false;
        this.#free = () => {
            if (done) { return; }
            done = true;
            exports.zw_player_free(handle);
            program.release();
        };
        leftBehind.register(this, this.#free, this);
    }

    /** @internal */
    get handle() { return alive(this.#handle, "player"); }

    free() {
        leftBehind.unregister(this);
        this.#free();
        this.#handle = 0;
    }

    /** Its clock, ms. */
    get now() { return this.core.exports.zw_player_now(this.handle) / NS; }

    /** Moves the clock by so many ms (0 or more) and returns what has happened, in order, each event once. */
    advance(/** @type {number} */ ms) {
        if (!(finite(ms, "advance") >= 0)) { throw new RangeError("advance goes forward; seek goes back"); }
        const exports = this.core.exports;
        const handle = this.handle;
        let left = Math.round(ms * NS);
        /** @type {any[]} */
        let events = [];
        for (;;) {
            if (exports.zw_player_advance(handle, left) > 0) { events = this.#take(events); }
            left = exports.zw_player_left();
            if (left < 0) { return events; }
        }
    }

    /** To any instant, ms; what is passed on the way forward is returned, the way back tells nothing. */
    seek(/** @type {number} */ ms) {
        finite(ms, "seek");
        if (!this.history) {
            const ahead = ms - this.now;
            if (ahead >= 0) { return this.advance(ahead); }
            throw new ZoetropeError("a player made with history: false cannot go back");
        }
        this.core.exports.zw_player_seek(this.handle, Math.round(Math.max(0, ms) * NS));
        return this.#take([]);
    }

    #take(/** @type {any[]} */ events) {
        const exports = this.core.exports;
        exports.zw_player_events(this.handle);
        const told = this.core.json();
        const { clips, states, cels } = this.program;
        for (const e of told) {
            const event = { kind: e.kind, t: e.tNs / NS, name: e.name };
            if (e.clip > 0) { event.clip = clips[e.clip - 1]?.name; }
            if (e.run > 0) { event.run = e.run; }
            if (e.index > 0 || e.arguments) { event.index = e.index; }
            if (e.arguments) { event.arguments = e.arguments; }
            if (e.count !== undefined) { event.count = e.count; }
            if (e.started > 0) { event.effect = e.started - 1; }
            if (e.atS !== undefined && e.atS !== 0) { event.atS = e.atS; }
            if (e.cel !== undefined) { event.cel = cels[e.cel - 1]?.name ?? null; }
            if (e.end !== undefined) { event.end = e.end; }
            if (e.state > 0) { event.state = states[e.state - 1]?.name; }
            if (e.via !== undefined) { event.via = e.via; }
            if (e.activity) { event.activity = e.activity; }
            events.push(event);
        }
        if (exports.zw_player_lost(this.handle) > 0) { throw outOfMemory(); }
        return events;
    }

    #input(/** @type {number} */ kind, id = 0, number = 0, slope = 0, on = false, /** @type {string | null} */ text = null) {
        const result = this.core.withTexts([text], (at) =>
            this.core.exports.zw_player_input(this.handle, kind, id, number, slope, on ? 1 : 0, at));
        if (result === -2) { throw outOfMemory(); }
        if (result === -1) { throw new RangeError("there is no such clip, parameter or picture"); }
        return result;
    }

    // ---- what a host tells it

    /** The state of this name (or the first of the group) is taken at once. false: there is none. */
    request(/** @type {string} */ state) { return this.#input(INPUT.request, 0, 0, 0, false, String(state)) === 1; }

    /** Asks a machine that runs by itself for a state of this group. @param {string} group @param {{afterSpeech?: boolean}} [how] */
    trigger(group, { afterSpeech = false } = {}) {
        return this.#input(INPUT.trigger, 0, 0, 0, afterSpeech, String(group)) === 1;
    }

    /** Back to the first state. @param {{afterSpeech?: boolean}} [how] */
    release({ afterSpeech = false } = {}) { return this.#input(INPUT.release, 0, 0, 0, afterSpeech) === 1; }

    #param(/** @type {string | number} */ name) {
        const { params } = this.program;
        const found = typeof name === "number" ? params[name - 1] : params.find((/** @type {any} */ p) => p.name === name);
        if (!found) { throw new RangeError(`there is no parameter ${JSON.stringify(name)}`); }
        return found;
    }

    // Clips that have a parameter of the same name share it, as far as a host that calls it by name can tell.
    #params(/** @type {string | number} */ name) {
        const first = this.#param(name);
        return typeof name === "number" ? [first] : this.program.params.filter((/** @type {any} */ p) => p.name === first.name);
    }

    /** A parameter's value; of a control also a line, { add, mul }: add + mul * x. */
    set(/** @type {string | number} */ name, /** @type {any} */ value) {
        if (typeof value === "object" && value !== null) {
            const add = finite(value.add ?? 0, `${name}.add`), mul = finite(value.mul ?? 0, `${name}.mul`);
            for (const param of this.#params(name)) { this.#input(INPUT.setLine, param.id, add, mul); }
        } else {
            finite(value, String(name));
            for (const param of this.#params(name)) { this.#input(INPUT.setParam, param.id, value); }
        }
    }

    /** Only the slope of a control changes; what it is now stays. */
    ramp(/** @type {string | number} */ name, /** @type {number} */ slope) {
        const param = this.#param(name);
        if (param.clip !== null) { throw new RangeError(`'${param.name}' is a clip's parameter, which has no slope`); }
        this.#input(INPUT.ramp, param.id, 0, finite(slope, "slope"));
    }

    get(/** @type {string | number} */ name) { return this.core.exports.zw_player_param(this.handle, this.#param(name).id); }

    /** Plays a clip by its name over everything. @param {string} clip @param {{interrupt?: boolean}} [how] */
    play(clip, { interrupt = false } = {}) { return this.#input(INPUT.play, 0, 0, 0, interrupt, String(clip)) === 1; }

    /**
     * Starts a clip; returns the run's number, 0 when it cannot repeat as asked.
     * @param {string | number} clip @param {any} [how] params {name: value}, durationMs, repeat, delayMsMin, delayMsMax, cel
     */
    start(clip, how = {}) {
        const found = this.program.clip(clip);
        const repeat = how.repeat === undefined ? -1 : repeats[/** @type {keyof typeof repeats} */ (how.repeat)];
        if (repeat === undefined) { throw new RangeError(`repeat must be one of ${Object.keys(repeats).join(", ")}`); }
        const cel = how.cel === undefined ? 0 : this.#cel(how.cel);
        let at = 0;
        if (how.params) {
            for (const name of Object.keys(how.params)) {
                if (!found.params.includes(name)) { throw new RangeError(`clip '${found.name}' has no parameter '${name}'`); }
            }
            at = this.core.alloc(Math.max(8, found.params.length * 8));
            found.params.forEach((/** @type {string} */ name, /** @type {number} */ i) => {
                this.core.f64[at / 8 + i] = how.params[name] ?? NaN; // NaN: as it is
            });
        }
        const run = this.core.exports.zw_player_start(this.handle, found.id, at, at ? found.params.length : 0,
            Math.round(finite(how.durationMs ?? 0, "durationMs") * NS), repeat, how.delayMsMin ?? 0, how.delayMsMax ?? 0, cel);
        this.core.free(at);
        if (run === -2) { throw outOfMemory(); }
        if (run === -1) { throw new RangeError(`clip '${found.name}' cannot be started so`); }
        return run;
    }

    #cel(/** @type {string | number | null} */ cel) {
        if (cel === null) { return 0; }
        const { cels } = this.program;
        const found = typeof cel === "number" ? cels[cel - 1] : cels.find((/** @type {any} */ c) => c.name === cel);
        if (!found) { throw new RangeError(`there is no picture ${JSON.stringify(cel)}`); }
        return found.id;
    }

    /** false: it is over already. */
    cancel(/** @type {number} */ run) { return this.#input(INPUT.cancel, run >>> 0) === 1; }
    pause(/** @type {number} */ run) { this.#input(INPUT.pause, run >>> 0); }
    resume(/** @type {number} */ run) { this.#input(INPUT.resume, run >>> 0); }

    click() { return this.#input(INPUT.click) === 1; }
    /** Shows a picture for a while; ms <= 0: until another state or picture is taken. */
    flash(/** @type {string | number} */ cel, ms = 0) { return this.#input(INPUT.flash, this.#cel(cel), finite(ms, "ms")) === 1; }
    /** The picture shown while nothing else decides; null: none. */
    show(/** @type {string | number | null} */ cel) { this.#input(INPUT.show, this.#cel(cel)); }
    /** The picture that an unnamed turn of a clip shows. */
    showNext(/** @type {string | number | null} */ cel) { this.#input(INPUT.showNext, this.#cel(cel)); }
    /** Whether there is a picture for a cel. */
    setCel(/** @type {string | number} */ cel, /** @type {boolean} */ there) {
        this.#input(INPUT.cel, this.#cel(cel), 0, 0, Boolean(there));
    }

    get shown() { return this.program.cels[this.core.exports.zw_player_shown(this.handle) - 1]?.name ?? null; }

    /**
     * What somebody is at: "turn-start", "waiting" (program.statusTypes). false: no such type.
     * @param {string} type @param {{source?: string, tool?: string, at?: number}} [how] `at`: ms on the player's clock
     */
    status(type, { source, tool, at } = {}) {
        const stamp = at === undefined ? NaN : Math.round(finite(at, "at") * NS);
        const result = this.core.withTexts([type, source, tool], (a, b, c) =>
            this.core.exports.zw_player_status(this.handle, a, b, c, stamp));
        if (result === -2) { throw outOfMemory(); }
        return result === 1;
    }

    /** Somebody speaks, or has stopped. */
    speaking(/** @type {boolean} */ on) { this.#input(INPUT.speaking, 0, 0, 0, Boolean(on)); }
    /** How loud, 0 to 1. */
    mouth(/** @type {number} */ level) { this.#input(INPUT.mouth, 0, finite(level, "level")); }
    /** A look at the world now, at any time of it, s; of machines that show poses, made with hostPolls. */
    poll(/** @type {number} */ seconds) { return this.#input(INPUT.poll, 0, finite(seconds, "seconds")) === 1; }

    /** While nobody sees it everything stands still but signals and the states that they lead to. */
    get hidden() { return this.#hidden; }
    set hidden(on) {
        this.#hidden = Boolean(on);
        this.#input(INPUT.hidden, 0, 0, 0, this.#hidden);
    }

    get reducedMotion() { return this.#reducedMotion; }
    set reducedMotion(on) {
        this.#reducedMotion = Boolean(on);
        this.#input(INPUT.reducedMotion, 0, 0, 0, this.#reducedMotion);
    }

    stopEffect(/** @type {number} */ effect) { return this.core.exports.zw_player_stop_effect(this.handle, effect >>> 0) === 1; }

    // ---- what it is asked

    /** Where it stands; null: its program has no states. */
    get state() {
        if (!this.core.exports.zw_player_state(this.handle)) { return null; }
        const told = this.core.json();
        return { ...told, clip: this.program.clips[told.clip - 1]?.name ?? null };
    }

    /** Runs that are not over, in the order of their starts. */
    get runs() {
        this.core.exports.zw_player_runs(this.handle);
        return this.core.json().map((/** @type {any} */ r) => ({
            run: r.run, clip: this.program.clips[r.clip - 1]?.name, clipId: r.clip, layers: r.layers, installed: r.installed,
            waiting: r.waiting, paused: r.paused, backward: r.backward, localMs: r.localNs / NS, durationMs: r.durationNs / NS,
            repeat: Object.keys(repeats)[r.repeat], mix: r.mix, params: r.params,
        }));
    }

    get effects() {
        this.core.exports.zw_player_effects(this.handle);
        return this.core.json().map((/** @type {any} */ e) => ({
            ...e, ageMs: e.ageNs / NS, leftMs: e.leftNs === null ? Infinity : e.leftNs / NS,
            target: this.program.targets[e.target - 1]?.name ?? null,
        }));
    }

    particles() {
        this.core.exports.zw_player_particles(this.handle);
        return this.core.json().map((/** @type {any} */ p) => ({
            ...p, ageMs: p.ageNs / NS, lifeMs: p.lifeNs / NS, target: this.program.targets[p.target - 1]?.name ?? null,
        }));
    }

    /** How much was not made because a capacity was reached. */
    get dropped() { return this.core.exports.zw_player_dropped(this.handle); }
    /** The first thing that what is shown asks for in vain, or "". */
    get fault() { return this.core.read(this.core.exports.zw_player_fault(this.handle) >>> 0); }
    /** Bytes that it takes. */
    get size() { return this.core.exports.zw_player_size(this.handle); }

    sample() { return this.program.readPose(this.core.exports.zw_player_sample(this.handle) >>> 0); }

    snapshot() {
        const exports = this.core.exports;
        const size = exports.zw_player_snapshot(this.handle, 0, 0) >>> 0;
        const at = this.core.alloc(size);
        try {
            exports.zw_player_snapshot(this.handle, at, size);
            return new Snapshot(this.core.u8.slice(at, at + size), this.program, this.key, this.now);
        } finally {
            this.core.free(at);
        }
    }

    /** Goes back to where it stood; events not yet fetched are dropped. A player with a history begins there anew. */
    restore(/** @type {Snapshot} */ snapshot) {
        const bytes = Snapshot.bytes(snapshot, this.program, this.key);
        const at = this.core.put(bytes);
        try {
            if (!this.core.exports.zw_player_restore(this.handle, at, bytes.length)) { throw outOfMemory(); }
        } finally {
            this.core.free(at);
        }
    }

    /** A player that has just been made goes on where `old` stands, which may be of another program. Returns what is gone. */
    adopt(/** @type {Player} */ old) {
        if (!(old instanceof Player) || old === this) { throw new TypeError("adopt() takes another player"); }
        if (this.now !== 0) { throw new ZoetropeError("adopt() is for a player that has not played yet"); }
        this.core.exports.zw_player_adopt(this.handle, old.handle);
        return /** @type {{kind: string, name: string, run: number}[]} */ (this.core.json());
    }
}
