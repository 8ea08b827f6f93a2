// Programs: what is in one, its bytes to store, and the pose of one clip at one time.
import { alive, outOfMemory, ZoetropeError } from "./core.js";
import { core, loadCore } from "./load.js";

const NS = 1e6; // per millisecond

/** Channel values and transforms, copied out of the module: it may be kept. */
export class Pose {
    /**
     * @param {Map<string, number>} channelIds
     * @param {Float64Array} values @param {Float64Array} transforms @param {Uint8Array} atRest
     */
    constructor(channelIds, values, transforms, atRest) {
        this.#channelIds = channelIds;
        this.values = values;
        this.transforms = transforms;
        this.atRest = atRest;
    }

    #channelIds;

    /** The value of a channel, by name. */
    value(/** @type {string} */ channel) {
        const id = this.#channelIds.get(channel);
        if (id === undefined) { throw new RangeError(`there is no channel '${channel}'`); }
        return this.values[id - 1];
    }

    /** Row-major 3x4 affine of a target, from the program's root, by its index from 0. */
    transform(/** @type {number} */ target) { return this.transforms.subarray(target * 13, target * 13 + 12); }
    opacity(/** @type {number} */ target) { return this.transforms[target * 13 + 12]; }
}

// Whatever is left to the collector is freed by it; free() does not wait that long.
const leftBehind = new FinalizationRegistry((/** @type {() => void} */ free) => free());

const KEY = Symbol("made by this package");

export class Program {
    #handle = 0;
    #pose = 0;
    /** @type {Map<string, number>} */
    #channelIds = new Map();
    #players = 0;
    #freed = false;

    /** @private */
    constructor(/** @type {symbol} */ key, /** @type {import("./core.js").Core} */ made, /** @type {number} */ handle,
                /** @type {any} */ report, /** @type {URL | null} */ base) {
        if (key !== KEY) { throw new TypeError("programs are made by compile() and Program.load()"); }
        this.core = made;
        this.#handle = handle;
        leftBehind.register(this, () => made.exports.zw_program_free(handle), this);
        this.report = report;
        this.base = base; // where what it refers to lies, or null
        made.exports.zw_program_describe(handle);
        const told = made.json();
        this.format = told.format;
        this.profile = told.profile;
        this.hash = told.hash;
        this.stage = told.stage;
        this.clips = told.clips.map(clipOf(told));
        this.channels = told.channels;
        this.params = told.params.map((/** @type {any} */ p) => ({
            ...p, low: p.low ?? -Infinity, high: p.high ?? Infinity, clip: told.clips[p.clip - 1]?.name ?? null,
        }));
        this.states = told.states.map((/** @type {any} */ s) => ({
            ...s, cel: told.cels[s.cel - 1]?.name ?? null, clip: told.clips[s.clip - 1]?.name ?? null,
        }));
        this.edges = told.edges.map((/** @type {any} */ e) => ({
            from: told.states[e.from - 1]?.name, to: told.states[e.to - 1]?.name, fromId: e.from, toId: e.to,
            weight: e.weight, blendMs: e.blendNs / NS,
        }));
        this.targets = told.targets.map((/** @type {any} */ t) => ({
            ...t, parent: told.targets[t.parent - 1]?.name ?? null, parentId: t.parent,
        }));
        this.cels = told.cels;
        this.meshes = told.meshes;
        this.layers = told.layers;
        this.statusTypes = told.statusTypes;
        this.posing = told.posing ? { looks: told.posing.looks, lookMs: told.posing.lookNs / NS } : null;
        for (const channel of told.channels) { this.#channelIds.set(channel.name, channel.id); }
        for (const list of [this.clips, this.channels, this.params, this.states, this.edges, this.targets, this.cels]) {
            Object.freeze(list);
        }
    }

    /** @internal */
    static adopt(/** @type {import("./core.js").Core} */ made, /** @type {number} */ handle, /** @type {any} */ report,
                 /** @type {URL | null} */ base = null) {
        try {
            return new Program(KEY, made, handle, report, base);
        } catch (fault) {
            made.exports.zw_program_free(handle);
            throw fault;
        }
    }

    /** A stored program (blob()) back to a program. @param {Uint8Array} bytes */
    static async load(bytes) {
        await loadCore();
        return Program.loadSync(bytes);
    }

    /** @param {Uint8Array} bytes */
    static loadSync(bytes) {
        const made = core();
        const at = made.put(bytes);
        const handle = made.exports.zw_program_load(at, bytes.length) >>> 0;
        made.free(at);
        if (handle === 0) {
            const status = made.status(made.exports.zw_load_status());
            throw new ZoetropeError(`these bytes are no stored program (${status})`, { status });
        }
        return Program.adopt(made, handle, null);
    }

    /** @internal */
    get handle() { return alive(this.#handle, "program"); }
    /** @internal */
    get channelIds() { return this.#channelIds; }

    /** The bytes of the program, to store; the same on every machine. */
    blob() {
        const at = this.core.exports.zw_program_blob(this.handle) >>> 0;
        const size = this.core.exports.zw_program_blob_size(this.handle) >>> 0;
        return this.core.u8.slice(at, at + size);
    }

    /** A listing of every record, for people. */
    dump() {
        this.core.exports.zw_program_dump(this.handle);
        return this.core.sink();
    }

    /** The clip of a name or a number from 1. Throws when there is none. @param {string | number} clip */
    clip(clip) {
        const found = typeof clip === "number" ? this.clips[clip - 1]
            : this.clips.find((/** @type {any} */ c) => c.name === clip);
        if (!found) { throw new RangeError(`there is no clip ${JSON.stringify(clip)}`); }
        return found;
    }

    /**
     * One clip alone, at a time in its own unit (clip.unit). Every other channel is at rest.
     * @param {string | number} clip @param {number} time @param {number[]} [params] one for each parameter of the clip
     */
    sample(clip, time, params) {
        const found = this.clip(clip);
        const pose = this.#ownPose();
        const at = this.#putParams(found, params);
        this.core.exports.zw_pose_clip(this.handle, found.id, time, at, pose);
        this.core.free(at);
        return this.readPose(pose);
    }

    /**
     * The same at many times at once, values of channels alone: those of time i begin at i * channels.length.
     * @param {string | number} clip @param {ArrayLike<number>} times @param {number[]} [params]
     */
    sampleMany(clip, times, params) {
        const found = this.clip(clip);
        const pose = this.#ownPose();
        const width = this.channels.length, count = times.length;
        const places = [this.#putParams(found, params)];
        try {
            places.push(this.core.alloc(Math.max(8, count * 8)));
            places.push(this.core.alloc(Math.max(8, count * width * 8)));
            const [at, from, to] = places;
            this.core.f64.set(times, from / 8);
            this.core.exports.zw_pose_clips(this.handle, found.id, from, count, at, pose, to);
            return this.core.f64.slice(to / 8, to / 8 + count * width);
        } finally {
            for (const at of places) { this.core.free(at); }
        }
    }

    #ownPose() {
        if (this.#pose === 0) {
            this.#pose = this.core.exports.zw_pose_new(this.handle) >>> 0;
            if (this.#pose === 0) { throw outOfMemory(); }
        }
        return this.#pose;
    }

    #putParams(/** @type {any} */ clip, /** @type {readonly number[] | undefined} */ params) {
        if (!params) { return 0; }
        if (params.length !== clip.paramCount) {
            throw new RangeError(`clip '${clip.name}' has ${clip.paramCount} parameters, not ${params.length}`);
        }
        const at = this.core.alloc(Math.max(8, params.length * 8));
        this.core.f64.set(params, at / 8);
        return at;
    }

    /** @internal */
    readPose(/** @type {number} */ pose) {
        const exports = this.core.exports;
        const slots = (exports.zw_pose_slots(pose) >>> 0) / 8;
        const transforms = (exports.zw_pose_transforms(pose) >>> 0) / 8;
        const rests = exports.zw_pose_rests(pose) >>> 0;
        return new Pose(
            this.#channelIds,
            this.core.f64.slice(slots, slots + this.channels.length),
            this.core.f64.slice(transforms, transforms + this.targets.length * 13),
            this.core.u8.slice(rests, rests + this.targets.length),
        );
    }

    /** @internal Players and scenes need the program to stay: it goes when the last of them does. */
    hold() { this.#players++; }
    /** @internal */
    release() {
        this.#players--;
        this.#drop();
    }

    #drop() {
        if (!this.#freed || this.#players > 0 || this.#handle === 0) { return; }
        leftBehind.unregister(this);
        this.core.exports.zw_pose_free(this.#pose);
        this.core.exports.zw_program_free(this.#handle);
        this.#handle = 0;
        this.#pose = 0;
    }

    /** Gives its memory back, as soon as no player of it is left. */
    free() {
        this.#freed = true;
        this.#drop();
    }
}

function clipOf(/** @type {any} */ told) {
    return (/** @type {any} */ c) => ({
        id: c.id,
        name: c.name,
        label: c.label,
        kind: c.kind,
        unit: c.unit,
        repeat: c.repeat,
        durationMs: c.durationNs / NS,
        frameMs: c.frameNs / NS,
        durationMsMin: c.durationNsMin / NS,
        durationMsMax: c.durationNsMax / NS,
        delayMsMin: c.delayMsMin,
        delayMsMax: c.delayMsMax,
        keyCount: c.keyCount,
        curveCount: c.curveCount,
        paramCount: c.paramCount,
        params: told.params.slice(c.firstParam > 0 ? c.firstParam - 1 : 0,
            c.firstParam > 0 ? c.firstParam - 1 + c.paramCount : 0).map((/** @type {any} */ p) => p.name),
        reduced: told.clips[c.reduced - 1]?.name ?? null,
        channels: c.drives.map((/** @type {number} */ id) => told.channels[id - 1].name),
        events: c.events.map((/** @type {any} */ e) => ({
            at: e.at, atMs: e.atNs / NS, action: e.action, name: e.name, arguments: e.arguments,
        })),
    });
}
