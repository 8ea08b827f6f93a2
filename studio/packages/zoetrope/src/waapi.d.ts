// Types of waapi.js: Web Animations of petween definitions, and the player that runs them.

/** Outermost first: `sway`, `bounce`, `breathe`, `transition`. */
export type LayerName = "sway" | "bounce" | "breathe" | "transition";
export declare const LAYERS: readonly LayerName[];
/** The `transform-origin` of all layers. */
export declare const ORIGIN: string;

export type RepeatMode = "once" | "loop" | "alternate" | "random-interval";

/** One frame of a merged list: all that its layer moves. */
export interface LayerFrame extends Keyframe {
    offset: number;
    easing: string;
    translate?: string;
    scale?: string;
    rotate?: string;
    opacity?: string;
}

/** An event of a definition: a picture to show, or particles to let go. */
export interface FrameEvent {
    at: number;
    type: "pose-swap" | "particle" | (string & {});
    pose?: string;
    effect?: string;
    beforeSegmentIndex: number;
    [member: string]: unknown;
}

/** Merged keyframe lists of one animation, as `frames()` writes them. */
export interface FramesDocument {
    schema: "zoetrope/frames@1";
    definitionId: string;
    durationMs: number;
    repeat: { mode: RepeatMode; minDelayMs?: number; maxDelayMs?: number };
    segments: {
        start: number;
        end: number;
        durationMs: number;
        layers: Partial<Record<LayerName, LayerFrame[]>>;
    }[];
    events: FrameEvent[];
    reducedMotion: boolean;
}

export interface LayerTiming {
    duration: number;
    iterations: number;
    direction: "normal" | "alternate";
    easing: "linear";
    fill: "none" | "forwards";
    composite: "replace" | "add" | "accumulate";
}

/** What `element.animate(keyframes, timing)` takes for one layer. */
export interface LayerAnimation {
    layer: LayerName;
    keyframes: LayerFrame[];
    timing: LayerTiming;
}

export interface Segment {
    index: number;
    startMs: number;
    endMs: number;
    durationMs: number;
    /** They come before it, in this order. */
    events: readonly FrameEvent[];
    animations: LayerAnimation[];
}

export interface AnimationPlan {
    id: string;
    /** Of one pass. */
    durationMs: number;
    repeat: { mode: RepeatMode; minDelayMs?: number; maxDelayMs?: number };
    /** Those that it moves, outermost first. */
    layers: LayerName[];
    /** There is one segment, and its animations have `iterations: Infinity`: a loop or an alternate without events. */
    endless: boolean;
    reducedMotion: boolean;
    segments: Segment[];
    /** They come behind the last segment. */
    lastEvents: readonly FrameEvent[];
}

export interface AnimationsOptions { composite?: "replace" | "add" | "accumulate" }

/** What runs when, and the events between. Throws a TypeError that names the place where `frames` are not right. */
export declare function animations(frames: FramesDocument | string, options?: AnimationsOptions): AnimationPlan;

/** One layer of a whole pass as one list, without events and waits. Null: the layer is not moved. */
export declare function keyframes(
    frames: FramesDocument | string, layer: LayerName, options?: AnimationsOptions,
): { keyframes: LayerFrame[]; timing: LayerTiming } | null;

/** The nested boxes of a pet, put into `parent`; all are squares of `size` px (160 when not given). */
export declare function createLayers(
    parent: Element, options?: { size?: number },
): Record<LayerName | "root", HTMLElement>;

/** An element for each layer that is moved; null: that layer is left out. */
export type LayerElements = Partial<Record<LayerName, Element | null>>;

export interface PlayOptions extends AnimationsOptions {
    /** Called at each event, at its own time: `playback.localMs` is exactly when. May pause, seek and cancel. */
    onevent?(event: FrameEvent, playback: Playback): void;
    /** Cancels it. */
    signal?: AbortSignal;
    /** For the waits of random-interval: 0 to 1. */
    random?(): number;
    /** How fast; above 0. */
    rate?: number;
    /** What becomes of it while nobody sees the page: it stands still (the default), or goes on. */
    hidden?: "freeze" | "play";
}

export interface Playback {
    readonly plan: AnimationPlan;
    readonly state: "running" | "paused" | "finished" | "cancelled";
    /** Whether it waits for its next pass. */
    readonly waiting: boolean;
    /** How many passes have begun. */
    readonly pass: number;
    /** Of the present segment. */
    readonly animations: Animation[];
    /** Since the present pass began, or its wait; of what is endless, since its start. */
    readonly localMs: number;
    rate: number;
    pause(): void;
    resume(): void;
    /** The layers go back to rest; nothing more is told. */
    cancel(): void;
    /** To this time of the present pass; nothing is told of what lies between. A wait ends. */
    seek(ms: number): void;
    /** When it is over, and how. Never fails. */
    readonly finished: Promise<"finished" | "cancelled">;
}

/** Plays a definition into elements as the original does. One element will do where it moves one layer. */
export declare function playInto(
    elements: Element | LayerElements, frames: FramesDocument | string, options?: PlayOptions,
): Playback;
