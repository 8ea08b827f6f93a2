// Bytes in, programs and reports out: check, compile, convert and the merged frame lists, with what they refer to
// fetched as the library asks for it. Also what the library tells of itself.
import { outOfMemory, toBytes, ZoetropeError } from "./core.js";
import { core, loadCore } from "./load.js";
import { Program } from "./program.js";

const KIND = { file: 0, folder: 1, missing: 2, builtin: 3 };
const NEED = ["bytes", "head", "stat"];
const STATUS_NEEDS = 7;
const HUMAN = 0, JSON_STYLE = 1;
// What a page may be led to fetch by a file that it was given.
const FILES_MAX = 65536, BYTES_MAX = 256 * 1024 * 1024, ROUNDS_MAX = 64, AT_ONCE = 32;
const HEAD_SIZE = 4096; // bytes of a file of which only the beginning is wanted

// In the order of zw_job_option.
const numbers = [
    ["profile", { document: 0, original: 1 }], ["strict"], ["depthMax"], ["sizeMax"], ["diagMax"], ["openParams"],
    ["nullTangent", { line: 0, step: 1 }], ["poses", { exact: 0, sampled: 1 }], ["maybe"],
    ["model", { "by-profile": 0, contract: 1, renderer: 2, "state-machine": 3, simulator: 4 }],
    ["draftRepeat", { length: 0, letter: 1 }], ["draftUniform", { pass: 0, samples: 1 }], ["lateFaults"],
    ["b3dKeys", { "by-format": 0, blitz: 1, forge: 2 }], ["contractOnly"],
];
const FRAMES_FIRST = 16;
const repeats = { once: 0, loop: 1, alternate: 2, "random-interval": 3 };

function numberOf(/** @type {string} */ name, /** @type {any} */ value, /** @type {any} */ words) {
    if (words) {
        if (!Object.hasOwn(words, value)) {
            throw new TypeError(`${name} must be one of ${Object.keys(words).join(", ")}, not ${JSON.stringify(value)}`);
        }
        return words[value];
    }
    if (typeof value === "boolean") { return value ? 1 : 0; }
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) { return value; }
    throw new TypeError(`${name} must be a number or true or false, not ${JSON.stringify(value)}`);
}

// A job at the edge, and the names that it has been given.
class Job {
    constructor(/** @type {import("./core.js").Core} */ made) {
        this.core = made;
        this.handle = made.exports.zw_job_new() >>> 0;
        if (this.handle === 0) { throw outOfMemory(); }
        /** @type {Map<string, string>} */
        this.given = new Map();
        this.bytes = 0;
    }

    free() {
        this.core.exports.zw_job_free(this.handle);
        this.handle = 0;
    }

    source(/** @type {string} */ name, /** @type {number} */ kind, /** @type {Uint8Array | null} */ bytes, wholeSize = 0) {
        const text = this.core.text(name);
        let at = 0;
        try {
            at = bytes ? this.core.put(bytes) : 0;
        } catch (fault) {
            this.core.free(text);
            throw fault;
        }
        const size = bytes ? bytes.length : 0;
        if (!this.core.exports.zw_job_source(this.handle, text, kind, at, size, wholeSize)) { throw outOfMemory(); }
        this.bytes += size;
    }

    texts(/** @type {number} */ option, /** @type {string[]} */ texts) {
        if (!Array.isArray(texts)) { throw new TypeError("names are given as an array of texts"); }
        for (const text of texts) {
            if (!this.core.exports.zw_job_text(this.handle, option, this.core.text(String(text)))) { throw outOfMemory(); }
        }
    }

    number(/** @type {number} */ option, /** @type {number} */ value) {
        this.core.exports.zw_job_option(this.handle, option, value);
    }

    options(/** @type {any} */ options) {
        numbers.forEach(([name, words], option) => {
            const value = options[/** @type {string} */ (name)];
            if (value !== undefined) { this.number(option, numberOf(/** @type {string} */ (name), value, words)); }
        });
        this.number(15, options.textures === false ? 0 : 1);
        if (options.format !== undefined && options.format !== "auto") { this.texts(0, [options.format]); }
        if (options.cels) { this.texts(1, options.cels); }
        if (options.params) { this.texts(2, options.params); }
    }

    needs() {
        this.core.exports.zw_job_needs(this.handle);
        return /** @type {{name: string, kind: number}[]} */ (this.core.json());
    }

    report(/** @type {number} */ status) {
        this.core.exports.zw_job_report(this.handle, JSON_STYLE, 0);
        const text = this.core.sink();
        const found = text === "" ? { format: "", errors: 0, warnings: 0, notes: 0, dropped: 0, diagnostics: [] }
            : JSON.parse(text);
        let human = "";
        if (found.diagnostics.length > 0) {
            this.core.exports.zw_job_report(this.handle, HUMAN, 0);
            human = this.core.sink();
        }
        return {
            status: this.core.status(status),
            ok: status === 0,
            format: found.format,
            errors: found.errors,
            warnings: found.warnings,
            notes: found.notes,
            dropped: found.dropped,
            diagnostics: found.diagnostics,
            text: human,
        };
    }
}

// The inputs

/** @param {any} input */
function isUrl(input) { return typeof URL === "function" && input instanceof URL; }

function isBuiltin(/** @type {any} */ input) { return typeof input === "string" && input.startsWith("builtin:"); }

function nameOf(/** @type {any} */ input, /** @type {any} */ options) {
    if (options.name) { return String(options.name); }
    if (isUrl(input)) { return decodeURIComponent(input.pathname.split("/").pop() || "index.json"); }
    return "input.json";
}

/** @type {any} */
let nodeFiles = null;
const NODE_READ = "node:fs"; // not spelt in the call: bundlers for browsers need not look for it

function leadsDown(/** @type {string} */ name) {
    return name !== "" && name.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

// Files of resources lie in folders beside each other, of which the file's own is one, and in a folder "assets" a level
// above that of their domain. All else lies beside the file or below it.
function foldersOf(/** @type {URL} */ base, /** @type {string} */ format) {
    const folders = [new URL(".", base)];
    if (!format.startsWith("forge") && !format.startsWith("b3d")) { return folders; }
    folders.push(new URL("..", base));
    const assets = folders[0].pathname.lastIndexOf("/assets/");
    if (assets >= 0) { folders.push(new URL(base.pathname.slice(0, assets + 1), base)); }
    return folders;
}

/**
 * A reader of names beside a URL: what leads out of its folders, or to another origin, is not there.
 * @param {URL} base @param {string} format @param {AbortSignal} [signal]
 */
export function readerOf(base, format = "", signal = undefined) {
    const folders = foldersOf(base, format);
    const near = base.protocol === "file:" && typeof process === "object";
    return async (/** @type {string} */ name, /** @type {string} */ kind) => {
        if (!leadsDown(name)) { return null; }
        const path = name.split("/").map(encodeURIComponent).join("/");
        let itself = false; // a machine may be called like the model that it names: the file itself is found last
        for (const folder of folders) {
            const url = new URL(path, folder);
            if (url.origin !== base.origin || url.protocol !== base.protocol) { continue; }
            if (url.href === base.href) {
                itself = true;
                continue;
            }
            const found = near && nodeFiles ? readNear(url, kind) : await readUrl(url, kind, signal);
            if (found) { return found; }
        }
        return itself ? readUrl(base, kind, signal) : null;
    };
}

/**
 * What lies at a URL; null: nothing. "bytes": all of it; "head": its first 4 KiB at least, where the rest is left out
 * with the whole size; "stat": its size, where the server tells.
 * @returns {Promise<Uint8Array | {bytes: Uint8Array, wholeSize: number} | {size: number} | {folder: true} | null>}
 */
export async function readUrl(/** @type {URL} */ url, kind = "bytes", /** @type {AbortSignal | undefined} */ signal = undefined) {
    if (url.protocol === "file:" && typeof process === "object") { return readLocal(url, kind); }
    let response;
    try {
        response = await fetch(url, {
            method: kind === "stat" ? "HEAD" : "GET",
            headers: kind === "head" ? { range: `bytes=0-${HEAD_SIZE - 1}` } : {},
            signal,
        });
    } catch (cause) {
        signal?.throwIfAborted();
        throw new ZoetropeError(`${url.href} cannot be reached`, { status: "unreachable", cause });
    }
    if (response.status === 404 || response.status === 410 || response.status === 403) { return null; }
    if (response.status === 416) { return new Uint8Array(0); } // it is empty
    if (!response.ok) {
        throw new ZoetropeError(`${url.href}: the server answers ${response.status}`, { status: "unreachable" });
    }
    const length = Number(response.headers.get("content-length") ?? 0) || 0;
    if (kind === "stat") { return { size: length }; }
    const whole = response.status === 206 ? Number(response.headers.get("content-range")?.split("/")[1]) || 0 : length;
    const bytes = await readBody(response, url.href, kind === "head" ? HEAD_SIZE : Infinity);
    return kind === "head" && whole > bytes.length ? { bytes, wholeSize: whole } : bytes;
}

// Without waiting: files are small and near, and a promise for each of hundreds takes longer than reading them.
async function readLocal(/** @type {URL} */ url, /** @type {string} */ kind) {
    nodeFiles ??= await import(/* @vite-ignore */ /* webpackIgnore: true */ NODE_READ);
    return readNear(url, kind);
}

function readNear(/** @type {URL} */ url, /** @type {string} */ kind) {
    const { closeSync, fstatSync, openSync, readSync } = nodeFiles;
    let file;
    try {
        file = openSync(url, "r");
    } catch (fault) {
        const code = /** @type {any} */ (fault).code;
        if (code === "ENOENT" || code === "ENOTDIR") { return null; }
        throw fault;
    }
    try {
        const found = fstatSync(file);
        if (found.isDirectory()) { return { folder: /** @type {true} */ (true) }; }
        if (kind === "stat") { return { size: found.size }; }
        if (found.size > BYTES_MAX) { throw new ZoetropeError(`${url.href} is too large`, { status: "limit" }); }
        const size = kind === "head" ? Math.min(HEAD_SIZE, found.size) : found.size;
        const bytes = new Uint8Array(size);
        let at = 0;
        while (at < size) {
            const count = readSync(file, bytes, at, size - at, at);
            if (count === 0) { break; }
            at += count;
        }
        return size < found.size ? { bytes, wholeSize: found.size } : bytes.subarray(0, at);
    } finally {
        closeSync(file);
    }
}

// No further than the limit, whatever the server says of the length.
async function readBody(/** @type {Response} */ response, /** @type {string} */ where, /** @type {number} */ enough) {
    const reader = response.body?.getReader();
    if (!reader) { return new Uint8Array(await response.arrayBuffer()); }
    /** @type {Uint8Array[]} */
    const pieces = [];
    let size = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) { break; }
        size += value.length;
        if (size > BYTES_MAX) {
            await reader.cancel();
            throw new ZoetropeError(`${where} is too large`, { status: "limit" });
        }
        pieces.push(value);
        if (size >= enough) {
            await reader.cancel();
            break;
        }
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
        bytes.set(piece, at);
        at += piece.length;
    }
    return bytes;
}

/** @type {(files: any, name: string) => {kind: number, bytes: Uint8Array | null} | null} */
function fileOf(files, name) {
    if (!files) { return null; }
    if (Object.hasOwn(files, name)) { return { kind: KIND.file, bytes: toBytes(files[name]) }; }
    const below = `${name}/`;
    return Object.keys(files).some((other) => other.startsWith(below)) ? { kind: KIND.folder, bytes: null } : null;
}

/** Puts the first source in. @returns {Promise<URL | null>} where what it refers to is to be looked for */
async function putFirst(/** @type {Job} */ job, /** @type {any} */ input, /** @type {any} */ options) {
    if (isUrl(input)) {
        const found = await readUrl(input, "bytes", options.signal);
        if (!(found instanceof Uint8Array)) {
            throw new ZoetropeError(`${input.href} is not there`, { status: "unreachable" });
        }
        job.source(nameOf(input, options), KIND.file, found);
        putFiles(job, options);
        return options.base ? new URL(options.base, input) : input;
    }
    putGiven(job, input, options);
    return options.base ? new URL(options.base, typeof location === "object" ? location.href : undefined) : null;
}

function putGiven(/** @type {Job} */ job, /** @type {any} */ input, /** @type {any} */ options) {
    if (isBuiltin(input)) {
        job.source(input, KIND.builtin, null);
    } else {
        job.source(nameOf(input, options), KIND.file, toBytes(input));
    }
    putFiles(job, options);
}

// All that was handed over, for not everything that belongs to an input is asked for by name: a pet's animations, the
// other clips of a set.
function putFiles(/** @type {Job} */ job, /** @type {any} */ options) {
    for (const name of Object.keys(options.files ?? {})) {
        give(job, { name, kind: "bytes" }, toBytes(options.files[name]));
    }
}

// What the report asks for and has not been given yet; a name that is asked for again wants more of the same file.
function wanted(/** @type {Job} */ job) {
    const list = [];
    for (const { name, kind } of job.needs()) {
        const before = job.given.get(name);
        if (before === NEED[kind] || before === "bytes" || before === "missing") { continue; }
        list.push({ name, kind: NEED[kind] });
    }
    return list;
}

function give(/** @type {Job} */ job, /** @type {{name: string, kind: string}} */ want, /** @type {any} */ found) {
    if (job.given.size >= FILES_MAX || job.bytes > BYTES_MAX) {
        throw new ZoetropeError("the input refers to too many files", { status: "limit" });
    }
    if (found === null || found === undefined) {
        job.given.set(want.name, "missing");
        job.source(want.name, KIND.missing, null);
    } else if (found.folder === true) {
        job.given.set(want.name, "missing");
        job.source(want.name, KIND.folder, null);
    } else if (typeof found.size === "number" && !(found instanceof Uint8Array)) {
        job.given.set(want.name, "stat");
        job.source(want.name, KIND.file, null, found.size);
    } else if (typeof found.wholeSize === "number") {
        job.given.set(want.name, "head");
        job.source(want.name, KIND.file, toBytes(found.bytes), found.wholeSize);
    } else {
        job.given.set(want.name, "bytes");
        job.source(want.name, KIND.file, toBytes(found));
    }
}

function fromFiles(/** @type {any} */ files, /** @type {string} */ name) {
    const found = fileOf(files, name);
    return !found ? null : found.kind === KIND.folder ? { folder: true } : found.bytes;
}

// Runs the job until nothing is wanted any more. Files that were handed over come first, then the reader.
async function settle(/** @type {Job} */ job, /** @type {any} */ options, /** @type {URL | null} */ base,
                      /** @type {() => number} */ run) {
    /** @type {any} */
    let read = options.read ?? null;
    for (let round = 0; round < ROUNDS_MAX; round++) {
        const status = run();
        if (status !== STATUS_NEEDS) { return status; }
        const list = wanted(job);
        if (list.length === 0) { break; }
        if (base && !read) { read = readerOf(base, job.report(status).format, options.signal); }
        for (let first = 0; first < list.length; first += AT_ONCE) {
            const part = list.slice(first, first + AT_ONCE);
            options.signal?.throwIfAborted();
            const found = await Promise.all(part.map((want) =>
                fromFiles(options.files, want.name) ?? read?.(want.name, want.kind) ?? null));
            part.forEach((want, i) => give(job, want, found[i]));
        }
    }
    const status = run();
    if (status === STATUS_NEEDS) { throw new ZoetropeError("the input goes on asking for files", { status: "limit" }); }
    return status;
}

function settleGiven(/** @type {Job} */ job, /** @type {any} */ options, /** @type {() => number} */ run) {
    for (let round = 0; round < ROUNDS_MAX; round++) {
        const status = run();
        if (status !== STATUS_NEEDS) { return status; }
        const list = wanted(job);
        for (const want of list) { give(job, want, fromFiles(options.files, want.name)); }
        if (list.length === 0) { break; }
    }
    throw new ZoetropeError("the input goes on asking for files", { status: "limit" });
}

function refuse(/** @type {any} */ report, /** @type {string} */ what) {
    const first = report.diagnostics.find((/** @type {any} */ d) => d.severity === "error") ?? report.diagnostics[0];
    const place = first && first.line > 0 ? `${first.file}:${first.line}:${first.column}: ` : first?.file ? `${first.file}: ` : "";
    const message = first ? `${place}${first.message} [${first.id}]` : `${what}: ${report.status}`;
    return new ZoetropeError(message, { status: report.status, report });
}

/**
 * What is to be said of an input. Faults of the input are in the report, never thrown.
 * @param {any} input @param {any} [options]
 */
export async function check(input, options = {}) {
    const job = new Job(await loadCore());
    try {
        job.options(options);
        const base = await putFirst(job, input, options);
        const status = await settle(job, options, base, () => job.core.exports.zw_job_run(job.handle, 0));
        return job.report(status);
    } finally {
        job.free();
    }
}

/**
 * A program. Throws ZoetropeError, with all diagnostics, when the input has errors.
 * @param {any} input @param {any} [options]
 */
export async function compile(input, options = {}) {
    const job = new Job(await loadCore());
    try {
        job.options(options);
        const base = await putFirst(job, input, options);
        const status = await settle(job, options, base, () => job.core.exports.zw_job_run(job.handle, 1));
        return programOf(job, status, base);
    } finally {
        job.free();
    }
}

function programOf(/** @type {Job} */ job, /** @type {number} */ status, /** @type {URL | null} */ base) {
    const report = job.report(status);
    const handle = job.core.exports.zw_job_program(job.handle) >>> 0;
    if (handle === 0) { throw refuse(report, "no program"); }
    return Program.adopt(job.core, handle, report, base);
}

/** check without waiting: what the input refers to is among `files` or not there. @param {any} input @param {any} [options] */
export function checkSync(input, options = {}) {
    const job = new Job(core());
    try {
        job.options(options);
        putGiven(job, input, options);
        const status = settleGiven(job, options, () => job.core.exports.zw_job_run(job.handle, 0));
        return job.report(status);
    } finally {
        job.free();
    }
}

/** @param {any} input @param {any} [options] */
export function compileSync(input, options = {}) {
    const job = new Job(core());
    try {
        job.options(options);
        putGiven(job, input, options);
        const status = settleGiven(job, options, () => job.core.exports.zw_job_run(job.handle, 1));
        return programOf(job, status, null);
    } finally {
        job.free();
    }
}

/**
 * A document in another form that holds the same; bytes for B3D models, a text for all else.
 * @param {any} input @param {string} to @param {any} [options]
 * @returns {Promise<string | Uint8Array>}
 */
export async function convert(input, to, options = {}) {
    const job = new Job(await loadCore());
    try {
        job.options(options);
        await putFirst(job, input, options);
        const status = job.core.withTexts([to], (at) => job.core.exports.zw_job_convert(job.handle, at));
        if (status === 0) { return to === "b3d" ? job.core.sinkBytes() : job.core.sink(); }
        throw refuse(job.report(status), `there is no ${to} of this`);
    } finally {
        job.free();
    }
}

/**
 * The merged keyframe lists of an animation, as element.animate() takes them ("zoetrope/frames@1"); of a pack without
 * `clip` an array of them.
 * @param {any} input @param {any} [options]
 */
export async function frames(input, options = {}) {
    const job = new Job(await loadCore());
    try {
        job.options(options);
        putFrameOptions(job, options);
        await putFirst(job, input, options);
        return framesOf(job);
    } finally {
        job.free();
    }
}

/** @param {any} input @param {any} [options] */
export function framesSync(input, options = {}) {
    const job = new Job(core());
    try {
        job.options(options);
        putFrameOptions(job, options);
        putGiven(job, input, options);
        return framesOf(job);
    } finally {
        job.free();
    }
}

function putFrameOptions(/** @type {Job} */ job, /** @type {any} */ options) {
    ["strength", "durationMs", "repeat", "delayMsMin", "delayMsMax", "reducedMotion"].forEach((name, i) => {
        const value = options[name];
        if (value === undefined) { return; }
        if (name === "strength" && typeof value === "number") {
            job.number(FRAMES_FIRST + i, value); // may be below 0: the definition cuts it
        } else {
            job.number(FRAMES_FIRST + i, numberOf(name, value, name === "repeat" ? repeats : undefined));
        }
    });
    if (options.clip !== undefined) { job.texts(3, [options.clip]); }
}

function framesOf(/** @type {Job} */ job) {
    const status = job.core.exports.zw_job_frames(job.handle);
    if (status === 0) { return job.core.json(); }
    throw refuse(job.report(status), "there are no frame lists of this");
}

// What the library tells of itself; after load().

/** @returns {{name: string, title: string}[]} */
export function formats() {
    core().exports.zw_formats();
    return core().json();
}

/** @returns {string[]} names to compile as "builtin:NAME" */
export function builtins() {
    core().exports.zw_builtins();
    return core().json();
}

/** The definition of a built-in animation as a JSON text; null: there is none. @param {string} name */
export function builtin(name) {
    const made = core();
    return made.withTexts([name], (at) => made.exports.zw_builtin(at)) ? made.sink() : null;
}

/** A diagnostic with its explanation; null: there is none of this id. @param {string} id */
export function rule(id) {
    const made = core();
    return made.withTexts([id], (at) => made.exports.zw_rule(at)) ? made.json() : null;
}

export function rules() {
    core().exports.zw_rules();
    return core().json();
}

/** The JSON Schema of a format; null: it has none. @param {string} format @param {"document" | "original"} [profile] */
export function schema(format, profile = "document") {
    const made = core();
    const number = numberOf("profile", profile, { document: 0, original: 1 });
    return made.withTexts([format], (at) => made.exports.zw_schema(at, number)) ? made.json() : null;
}

export function version() { return core().read(core().exports.zw_version() >>> 0); }
