// The types of the package's entry `zoetrope/element`, which registers <zoetrope-player>.
import type { Event as EngineEvent, Pictures, Player, Program, Stage } from "./index.js";

/** What `ready` tells. */
export interface ReadyDetail { program: Program; player: Player }
/** What `error` tells. `error` is null where a page asked for something that is not there and all goes on. */
export interface ErrorDetail { error: unknown; message: string; diagnostics: readonly unknown[] }
/** What `catchup` tells: how long nobody saw it, in ms, and what happened meanwhile. */
export interface CatchupDetail {
    elapsed: number;
    events: EngineEvent[];
    /** Events of which there were too many to keep. */
    dropped: number;
}

export interface ZoetropePlayerEventMap extends HTMLElementEventMap {
    ready: CustomEvent<ReadyDetail>;
    animation: CustomEvent<EngineEvent>;
    catchup: CustomEvent<CatchupDetail>;
}

/**
 * An animation in a page. It plays while it is seen and not `paused`, holds still where less motion is wanted, and frees
 * all it has when it leaves the document.
 *
 * Events: `ready`, `animation` (each event of the player), `catchup` (once, when it is seen again), `error`. Parts:
 * `canvas`, `error` with `place`, `message`, `hint` and `more` inside, `play` (a button, shown where it stands still
 * because less motion is wanted).
 */
export class ZoetropePlayer extends HTMLElement {
    /** The animation; relative to the page. Without it the text of a `<script type="application/json">` inside counts. */
    src: string | null;
    /** Further files that belong to it, relative to `src`, separated by spaces. With it nothing else is fetched. */
    files: string | null;
    /** Where pictures are that the animation only names: a URL with `{name}` in it. */
    pictures: string | null;
    /** The state to begin in; set later, the one to go to. What it is in at present: `currentState`. */
    state: string | null;
    /** One clip of it by itself, in place of what its states play. */
    clip: string | null;
    /** Parameters, as `speed=2 strength=1.5`. */
    params: string | null;
    format: string | null;
    profile: string | null;
    /** `contain`, `cover` or `none`. */
    fit: string | null;
    /** `auto`, `webgl` or `pixels`. */
    renderer: string | null;
    /** Any CSS background. */
    background: string | null;
    /** What it shows, for those who do not see it; empty where it is decoration. */
    alt: string | null;
    /** `auto` follows the system; `reduce`, `no-preference`. */
    reducedMotion: string | null;
    /** Random numbers: the same seed, the same play. */
    seed: string | null;
    paused: boolean;
    /** It can be sought back; it keeps what it has been told, and so grows. */
    history: boolean;
    /** 0 to 100; 1 as written. */
    speed: number;

    /** Of the present load; rejects as `error` tells. */
    readonly ready: Promise<Program>;
    /** May be set to one that the page has compiled, and frees. */
    program: Program | null;
    readonly player: Player | null;
    readonly pictureSet: Pictures | null;
    readonly stage: Stage | null;
    readonly now: number;
    readonly currentState: string | null;
    readonly playing: boolean;

    request(state: string): boolean;
    trigger(group: string, options?: { afterSpeech?: boolean }): boolean;
    release(options?: { afterSpeech?: boolean }): boolean;
    set(name: string, value: number | { add?: number; mul?: number }): void;
    get(name: string): number | undefined;
    play(clip: string, options?: { interrupt?: boolean }): boolean;
    start(clip: string, options?: object): number | undefined;
    cancel(run: number): boolean;
    flash(cel: string, ms: number): boolean;
    status(type: string, options?: { source?: string; tool?: string }): boolean;
    speaking(on: boolean): void;
    mouth(level: number): void;
    /** A click on what is shown. */
    poke(): boolean;
    /** To a time of its own, in ms; back only with `history`. */
    seek(ms: number): void;
    /** As it looks now. */
    snapshot(): OffscreenCanvas;

    addEventListener<K extends keyof ZoetropePlayerEventMap>(
        type: K, listener: (this: ZoetropePlayer, event: ZoetropePlayerEventMap[K]) => unknown,
        options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject,
        options?: boolean | AddEventListenerOptions): void;
}

declare global {
    interface HTMLElementTagNameMap { "zoetrope-player": ZoetropePlayer }
}
