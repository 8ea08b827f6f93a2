// The types of the package's entry `zoetrope`. Times are milliseconds on a player's clock unless a name says otherwise;
// they cross to the core as whole nanoseconds. Angles are degrees. Ids count from 1; 0 is none.

// ---------------------------------------------------------------------------------------------------- inputs

/** A JSON text, its bytes (or those of a model or texture), or a value that becomes JSON. */
export type Input = string | Uint8Array | ArrayBuffer | ArrayBufferView | object;

/** Files by name, with "/" between the parts. */
export interface Files { [name: string]: Input }

/** What a reader may say of a name: its bytes; only its beginning, its size, that it is a folder; null: it is not there. */
export type Found = Input | { bytes: Uint8Array; wholeSize: number } | { size: number } | { folder: true } | null;

/** Fetches what an input refers to. `kind`: all of it, its first 4 KiB at least, or whether it is there and how large. */
export type Read = (name: string, kind: "bytes" | "head" | "stat") => Promise<Found> | Found;

export interface CompileOptions {
    /** How messages call the input; relative names in it are looked for beside that. By default the URL's last part. */
    name?: string;
    /** A name of formats(); by default found from the content. */
    format?: string;
    /** What the format's document says (the default), or what its original program does. */
    profile?: "document" | "original";
    /** Also tell what is legal but probably not meant. */
    strict?: boolean;
    /** Files that are at hand. All of them are handed over, asked for or not: clips of a set, animations of a pet. */
    files?: Files;
    /** Asked for what is not among them. By default what the URL's server has beside the input. */
    read?: Read;
    /** Where what the input refers to lies, in place of the input's own URL. */
    base?: string | URL;
    signal?: AbortSignal;
    /** Names of further pictures and of parameters that the host has. */
    cels?: string[];
    params?: string[];
    /** Tell nothing of parameters that are left to the host. */
    openParams?: boolean;
    /** Enemy animations: what a null tangent draws. */
    nullTangent?: "line" | "step";
    /** Enemy animations: curves followed exactly, or joined from samples as the original does. */
    poses?: "exact" | "sampled";
    /** Character packs: what the graph does at completions and triggers. */
    model?: "by-profile" | "contract" | "renderer" | "state-machine" | "simulator";
    /** Character packs: only what the format's own validator looks at is a fault. */
    contractOnly?: boolean;
    /** Character packs: false: textures that are handed over whole are not opened. */
    textures?: boolean;
    /** Forge's draft: where a counted repeat wraps, and when a uniform sample is. */
    draftRepeat?: "length" | "letter";
    draftUniform?: "pass" | "samples";
    /** Forge: faults that its own program finds only when it comes to them are warnings. */
    lateFaults?: boolean;
    b3dKeys?: "by-format" | "blitz" | "forge";
    /** Nobody named the input, it was met in a folder: that it is of no known format is a note. */
    maybe?: boolean;
    /** Limits: nesting, bytes of one source, diagnostics kept. */
    depthMax?: number;
    sizeMax?: number;
    diagMax?: number;
}

// ---------------------------------------------------------------------------------------------------- reports

export type Severity = "note" | "warning" | "error";

export interface Place {
    file: string;
    /** From 1; 0: the file as a whole. Columns count code points. */
    line: number;
    column: number;
    endLine: number;
    endColumn: number;
    /** Bytes. */
    offset: number;
    length: number;
    /** JSON Pointer; null where there is none. */
    pointer: string | null;
}

export interface Diagnostic extends Place {
    severity: Severity;
    /** Stable: "petween/easing". rule() explains it. */
    id: string;
    message: string;
    hint: string | null;
    related?: Place & { message: string };
    /** A change that needs no guessing; its edits are of `file`, sorted and apart: TextDocument.apply takes them. */
    fix?: { message: string; edits: Edit[] };
}

export interface Edit { offset: number; remove: number; insert: string | Uint8Array }

export type Status =
    | "ok" | "invalid" | "newer" | "limit" | "no-memory" | "bad-blob" | "unsupported" | "needs" | "not-loaded" | "unreachable";

export interface Report {
    status: Status;
    /** There is no error. */
    ok: boolean;
    /** The format that the input was read as, or "". */
    format: string;
    errors: number;
    warnings: number;
    notes: number;
    /** Found, but not kept. */
    dropped: number;
    diagnostics: Diagnostic[];
    /** All of it for people, with the lines quoted, as the command line prints it. */
    text: string;
}

/** Thrown for inputs that have errors, for what cannot be had, and for objects that have been freed. */
export class ZoetropeError extends Error {
    constructor(message: string, more?: { status?: Status; report?: Report; cause?: unknown });
    readonly name: "ZoetropeError";
    readonly status: Status;
    readonly report: Report | null;
    readonly diagnostics: Diagnostic[];
}

// ---------------------------------------------------------------------------------------------------- the module

/** Where the module may come from: beside the package by default. */
export type ModuleSource = string | URL | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

/** Loads the module, once for all; whatever waits calls it by itself. After a failure the next call tries anew. */
export function load(from?: ModuleSource | Promise<ModuleSource>): Promise<void>;
/** "0.1.0". As all below that return no promise: after load(). */
export function version(): string;
export function formats(): { name: string; title: string }[];
/** Names of animations that are built in: compile("builtin:jelly"). */
export function builtins(): string[];
/** The definition of one as a JSON text; null: there is none. */
export function builtin(name: string): string | null;

export interface Rule { id: string; severity: Severity; message: string; hint: string | null; explain: string }
export function rule(id: string): Rule | null;
export function rules(): Rule[];
/** The JSON Schema of a format; null: it has none. */
export function schema(format: string, profile?: "document" | "original"): Record<string, unknown> | null;

/** All that is to be said of an input. Its faults are in the report and never thrown; what cannot be fetched is. */
export function check(input: Input | URL, options?: CompileOptions): Promise<Report>;
/** A program; a ZoetropeError with all diagnostics where the input has errors. Free it when it is not wanted any more. */
export function compile(input: Input | URL, options?: CompileOptions): Promise<Program>;
/** The same without waiting: what is not among `files` is not there. */
export function checkSync(input: Input, options?: CompileOptions): Report;
export function compileSync(input: Input, options?: CompileOptions): Program;

/** A document in another form that holds the same: bytes for "b3d", else a text. */
export function convert(input: Input | URL, to: "b3d", options?: CompileOptions): Promise<Uint8Array>;
export function convert(input: Input | URL, to: string, options?: CompileOptions): Promise<string | Uint8Array>;

export interface FramesOptions extends CompileOptions {
    strength?: number;
    durationMs?: number;
    repeat?: "once" | "loop" | "alternate" | "random-interval";
    delayMsMin?: number;
    delayMsMax?: number;
    reducedMotion?: boolean;
    /** Of a pack, the animation that is wanted; without it all. */
    clip?: string;
}
/** The merged keyframe lists of a petween animation ("zoetrope/frames@1"), for animations() of zoetrope/dom. */
export function frames(input: Input | URL, options?: FramesOptions): Promise<any>;
export function framesSync(input: Input, options?: FramesOptions): any;

// ---------------------------------------------------------------------------------------------------- programs

export type Repeat = "once" | "loop" | "alternate" | "random-interval" | "hold";

export interface ClipEvent {
    /** In the clip's unit, and at its own duration. */
    at: number;
    atMs: number;
    action: "notify" | "show-cel" | "start-effect" | "request-state";
    name: string;
    arguments: Record<string, number | string | boolean>;
}

export interface Clip {
    id: number;
    name: string;
    label: string;
    kind: string;
    unit: "fraction" | "seconds" | "frames";
    repeat: Repeat;
    durationMs: number;
    frameMs: number;
    durationMsMin: number;
    durationMsMax: number;
    delayMsMin: number;
    delayMsMax: number;
    keyCount: number;
    curveCount: number;
    paramCount: number;
    params: string[];
    /** What is played instead under reduced motion; null: itself. */
    reduced: string | null;
    channels: string[];
    events: ClipEvent[];
}

export interface Channel { id: number; name: string; unit: string; rest: number; isIndex: boolean; used: boolean }
export interface Param {
    id: number;
    name: string;
    value: number;
    low: number;
    high: number;
    slope: number;
    /** The clip that declares it; null: a control of the whole program. */
    clip: string | null;
    /** A control without a default. */
    needed: boolean;
}
export interface State { id: number; name: string; group: string; cel: string | null; first: boolean; clip: string | null; node: number }
export interface Edge { from: string; to: string; fromId: number; toId: number; weight: number; blendMs: number }
export interface Target { id: number; name: string; parent: string | null; parentId: number }
export interface Cel { id: number; name: string; anchorX: number; anchorY: number; zoom: number; image: string }
export interface Mesh { id: number; name: string; vertexCount: number; triangleCount: number }

/** Immutable. Its memory is given back by free(), or when the collector finds it. */
export class Program {
    private constructor();
    /** A stored program (blob()) back to a program. */
    static load(bytes: Uint8Array): Promise<Program>;
    static loadSync(bytes: Uint8Array): Program;

    readonly report: Report | null;
    readonly base: URL | null;
    readonly format: string;
    readonly profile: "document" | "original";
    /** Equal programs, equal hashes. */
    readonly hash: string;
    /** Left, top, right, bottom of what is meant to be seen, in the program's units; y points down where top <= bottom. */
    readonly stage: readonly [number, number, number, number];
    readonly clips: readonly Clip[];
    readonly channels: readonly Channel[];
    readonly params: readonly Param[];
    readonly states: readonly State[];
    readonly edges: readonly Edge[];
    readonly targets: readonly Target[];
    readonly cels: readonly Cel[];
    readonly meshes: readonly Mesh[];
    readonly layers: readonly string[];
    readonly statusTypes: readonly string[];
    /** Of a machine that shows poses: whether it looks at the world, and how often. */
    readonly posing: { looks: boolean; lookMs: number } | null;

    /** The bytes, to store; the same on every machine. */
    blob(): Uint8Array;
    /** A listing of every record. */
    dump(): string;
    /** Throws RangeError when there is none. */
    clip(clip: string | number): Clip;
    /** One clip alone at a time in its own unit; every other channel is at rest. */
    sample(clip: string | number, time: number, params?: readonly number[]): Pose;
    /** The same at many times: channel values alone, those of time i from i * channels.length on. */
    sampleMany(clip: string | number, times: ArrayLike<number>, params?: readonly number[]): Float64Array;
    /** Players and scenes that are left may go on; the memory goes with the last of them. */
    free(): void;
}

/** A copy: it may be kept. */
export class Pose {
    private constructor();
    /** By channel id - 1; an index channel holds a cel's id. */
    readonly values: Float64Array;
    /** Thirteen numbers a target: row-major 3x4 affine from the program's root, opacity. */
    readonly transforms: Float64Array;
    /** By target: 1 where every value equals its rest value. */
    readonly atRest: Uint8Array;
    value(channel: string): number;
    /** By index from 0. */
    transform(target: number): Float64Array;
    opacity(target: number): number;
}

// ---------------------------------------------------------------------------------------------------- players

export interface PlayerOptions {
    /** The same seed and calls, the same play. At most 64 bits. */
    seed?: number | bigint;
    reducedMotion?: boolean;
    /** Start nothing by itself, and let nobody decide what is played. */
    idle?: boolean;
    /** false: no particles. */
    effects?: boolean;
    /** A machine that looks at the world leaves that to poll(). */
    hostPolls?: boolean;
    /** true, the default: seek() goes back too, for which what it is told is kept. */
    history?: boolean;
    runCapacity?: number;
    effectCapacity?: number;
    particleCapacity?: number;
    pointCapacity?: number;
}

interface EventBase {
    /** When, exactly. */
    t: number;
    name: string;
    clip?: string;
    run?: number;
    index?: number;
}
export interface ClipTold extends EventBase {
    kind: "notify" | "start-effect" | "request-state";
    arguments?: Record<string, number | string | boolean>;
    /** Particles let go at once. */
    count: number;
    /** Number of the effect's start, for stopEffect(). */
    effect?: number;
    atS?: number;
}
export interface CelShown extends EventBase { kind: "show-cel" | "cel"; cel: string | null }
export interface RunStart extends EventBase { kind: "run-start" }
export interface RunEnd extends EventBase { kind: "run-end"; end: "finished" | "cancelled" | "crowded-out" }
export interface StateEntered extends EventBase { kind: "state"; state: string; via: string; activity?: string }
export interface ClipComplete extends EventBase { kind: "cycle" | "hold"; state: string }
/** Nothing answers a trigger; `name` is what was asked for. */
export interface Unrouted extends EventBase { kind: "unrouted" }
export type Event = ClipTold | CelShown | RunStart | RunEnd | StateEntered | ClipComplete | Unrouted;

export interface CurrentState {
    id: number;
    name: string;
    group: string;
    activity: string;
    via: string;
    clip: string | null;
    frame: number;
    held: boolean;
    draws: number;
    route: number;
    speaking: boolean;
    mouth: number;
    /** 0..1: how much the state counts in what is shown. */
    weight: number;
    timeS: number;
}

export interface Run {
    run: number;
    clip: string;
    clipId: number;
    repeat: Repeat;
    /** Bit l: it holds, or would hold, layer l of program.layers. */
    layers: number;
    /** The higher, the later it was installed. */
    installed: number;
    /** Group of runs that combine with each other; 0: it does not. */
    mix: number;
    waiting: boolean;
    paused: boolean;
    backward: boolean;
    localMs: number;
    durationMs: number;
    params: Record<string, number>;
}

export interface Effect {
    kind: "particles" | "light" | "trail" | "decal";
    name: string;
    target: string | null;
    start: number;
    ageMs: number;
    leftMs: number;
    particles: number;
    points: number;
    x: number;
    y: number;
    z: number;
    turn: number;
    rgba: number[];
    radius: number;
    intensity: number;
    width: number;
}

export interface Particle {
    effect: string;
    shape: string;
    target: string | null;
    start: number;
    number: number;
    emitted: boolean;
    ageMs: number;
    lifeMs: number;
    x: number;
    y: number;
    z: number;
    width: number;
    height: number;
    turn: number;
    opacity: number;
    rgba: number[];
}

export interface StartOptions {
    params?: Record<string, number>;
    durationMs?: number;
    repeat?: Repeat;
    delayMsMin?: number;
    delayMsMax?: number;
    cel?: string | number;
}

/** Where a player stood. Of use to players of its program that were made with the same options. */
export class Snapshot {
    private constructor();
    readonly now: number;
    /** Bytes. */
    readonly size: number;
}

export class Player {
    constructor(program: Program, options?: PlayerOptions);
    readonly program: Program;
    readonly history: boolean;
    readonly now: number;

    /** Moves the clock forward and returns what has happened, each event once, in order. However time is cut, the same. */
    advance(ms: number): Event[];
    /** To any time; what is passed on the way forward is returned. Back only with `history`. */
    seek(ms: number): Event[];

    /** The state of this name, or the first of the group. false: there is none, or no way leads there. */
    request(state: string): boolean;
    /** A machine that runs by itself goes there by its edges. false: nothing answers. */
    trigger(group: string, options?: { afterSpeech?: boolean }): boolean;
    release(options?: { afterSpeech?: boolean }): boolean;
    /** A value, or of a control a line: add + mul * x. All parameters of that name. */
    set(param: string | number, value: number | { add?: number; mul?: number }): void;
    ramp(param: string | number, slope: number): void;
    get(param: string | number): number;
    /** Plays a clip over everything. */
    play(clip: string, options?: { interrupt?: boolean }): boolean;
    /** Starts a clip; the run's number, 0: it cannot repeat as asked. */
    start(clip: string | number, options?: StartOptions): number;
    cancel(run: number): boolean;
    pause(run: number): void;
    resume(run: number): void;
    click(): boolean;
    flash(cel: string | number, ms?: number): boolean;
    show(cel: string | number | null): void;
    showNext(cel: string | number | null): void;
    setCel(cel: string | number, there: boolean): void;
    readonly shown: string | null;
    /** What somebody is at: one of program.statusTypes. false: no such type. */
    status(type: string, options?: { source?: string; tool?: string; at?: number }): boolean;
    speaking(on: boolean): void;
    /** How loud, 0..1. */
    mouth(level: number): void;
    poll(seconds: number): boolean;
    hidden: boolean;
    reducedMotion: boolean;
    stopEffect(effect: number): boolean;

    /** null: its program has no states. */
    readonly state: CurrentState | null;
    readonly runs: Run[];
    readonly effects: Effect[];
    particles(): Particle[];
    /** Effects, particles and points that found no room. */
    readonly dropped: number;
    readonly fault: string;
    /** Bytes that it takes. */
    readonly size: number;
    sample(): Pose;

    snapshot(): Snapshot;
    restore(snapshot: Snapshot): void;
    /** A player that has just been made goes on where `old` stands. Returns what is gone. */
    adopt(old: Player): { kind: "run" | "param" | "cel" | "effect" | "state"; name: string; run: number }[];
    free(): void;
}

// ---------------------------------------------------------------------------------------------------- drawing

/** Straight RGBA, eight bits each, rows from the top. */
export interface Pixels { width: number; height: number; data: Uint8Array | Uint8ClampedArray }
export type PictureSource = Pixels | ImageBitmap | HTMLImageElement | HTMLCanvasElement | OffscreenCanvas | HTMLVideoElement;

/** The pictures of a program's cels, shared by its stages. Memory: the module's, given back by free(). */
export class Pictures {
    constructor(program: Program, options?: { memory?: number });
    readonly program: Program;
    /** Fetches and decodes what the program names. Failures are told in `faults`. */
    load(options?: {
        base?: string | URL;
        read?: Read;
        files?: Files;
        /** In Node: bytes of a PNG, WebP or JPEG to pixels. */
        decode?: (bytes: Uint8Array, name: string) => PictureSource | Promise<PictureSource>;
        signal?: AbortSignal;
        /** So many, in the order of the cels, are there when it returns; the others follow. By default all. */
        first?: number;
    }): Promise<void>;
    /** Until all that load() was asked for has been tried. Meanwhile what was shown before stands in. */
    readonly rest: Promise<void>;
    /** Of a cel, or of all cels that are parts of an image. */
    set(name: string, source: PictureSource): void;
    /** Names of cels that have none. */
    readonly missing: string[];
    readonly faults: { name: string; message: string }[];
    readonly count: number;
    readonly version: number;
    free(): void;
}

export interface Camera { yaw?: number; pitch?: number; zoom?: number; field?: number }

export interface View {
    /** Px of the canvas or target; its own by default. */
    width?: number;
    height?: number;
    /** The stage whole (the default), the canvas covered, or pixels as they are. */
    fit?: "contain" | "cover" | "none";
    /** Px a unit, in place of `fit`. */
    scale?: number;
    /** The point of the program's space in the middle; by default the stage's. */
    center?: readonly [number, number];
    filter?: "bilinear" | "nearest";
    /** Of what stands in space. */
    camera?: Camera;
    /** Over the program's root: a b c d e f, as of a CSS matrix, or a row-major 3x4. */
    root?: readonly number[];
    /** "#rrggbb", "#rrggbbaa" or four numbers 0..255; nothing by default. */
    background?: string | readonly [number, number, number, number];
}

/** What is drawn: a player as it stands, or one clip at a time in its unit. */
export type Drawn = Player | { clip: string | number; time?: number; params?: readonly number[] };

export interface Command {
    /** Of Pictures, from 1; 0: plain colour. */
    image: number;
    firstIndex: number;
    indexCount: number;
    blend: "over" | "add";
    filter: "bilinear" | "nearest";
    depth: number;
    flags: number;
    alphaMin: number;
    layer: number;
    order: number;
    region: number[];
}

/** Lists of triangles, for a renderer of one's own. Arrays are views until the next call into the package. */
export class Scene {
    constructor(program: Program, pictures: Pictures);
    build(what: Drawn, view: View & { width: number; height: number }): this;
    buildMany(figures: readonly Figure[], view: View & { width: number; height: number }): this;
    readonly vertexCount: number;
    readonly indexCount: number;
    readonly commandCount: number;
    readonly vertices: Float32Array;
    readonly depths: Float32Array;
    readonly indices: Uint32Array;
    readonly commands: Command[];
    free(): void;
}

export interface Figure { player: Player; x: number; y: number; scale?: number }

export interface StageOptions {
    /** "auto": WebGL2 where there is a graphics card and few canvases have a context already, else the module's rasteriser. */
    renderer?: "auto" | "webgl" | "pixels";
    /** By default what the program names, loaded. */
    pictures?: Pictures;
    /** Keep what was drawn, for reading it later (WebGL). */
    preserve?: boolean;
}

export interface Stage {
    readonly renderer: "webgl" | "pixels";
    draw(what: Drawn, view?: View): void;
    drawMany(figures: readonly Figure[], view?: View): void;
    free(): void;
}

export function createStage(canvas: HTMLCanvasElement | OffscreenCanvas, program: Program, options?: StageOptions): Promise<Stage>;
/** Many flat players of one program on one canvas. */
export function createCrowd(canvas: HTMLCanvasElement | OffscreenCanvas, program: Program, options?: StageOptions): Promise<{
    readonly renderer: "webgl" | "pixels";
    readonly stage: Stage;
    draw(figures: readonly Figure[], view?: View): void;
    free(): void;
}>;
/** Draws once, by the module's rasteriser: the same bytes everywhere. */
export function draw<T extends Pixels | HTMLCanvasElement | OffscreenCanvas>(
    what: Drawn, target: T, options: { pictures: Pictures; view?: View }): T;

// ---------------------------------------------------------------------------------------------------- documents

/** A JSON text asked for places and edited by byte range; what is not edited stays as it was. After load(). */
export class TextDocument {
    constructor(input: Input);
    bytes(): Uint8Array;
    text(): string;
    /** Offsets are bytes. null: there is no such value. */
    find(pointer: string): { offset: number; length: number; line: number; column: number } | null;
    pointerAt(offset: number): string;
    /** Sorted and apart, all or none; returns the edits that give the old bytes back. */
    apply(edits: readonly Edit[]): Edit[];
    free(): void;
}
