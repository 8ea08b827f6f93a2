// Types of pet-stage.js: a whole pet in the DOM.
import type { Event as EngineEvent, Files, Input, Player, Program } from "./index.js";
import type { LayerName } from "./waapi.js";

/** An address, relative to the pet; a file; or an element, which is put into the pet itself. */
export type PetPicture = string | URL | Blob | HTMLElement | SVGElement;

export interface PetStageOptions {
    /** The element that the pet is put into. */
    parent: Element;
    /**
     * Animations that it plays and that are not built in: names relative to the pet, or their contents by name.
     */
    files?: readonly string[] | Files;
    /**
     * Pictures by their names: an address with `{name}` in it, the pictures themselves, or who has them. Without it
     * they are looked for beside the pet: `idle.png`, and `assets/ID.png` where it says an id. Null: there are none.
     */
    pictures?: string | Readonly<Record<string, PetPicture>>
        | ((name: string) => PetPicture | null | Promise<PetPicture | null>) | null;
    /** Where a pet lies that is handed over as a document; the page, when not given. */
    base?: string | URL;
    /** px of the square that it stands in; 160 as written. */
    size?: number;
    /** What it is, for those who do not see it. Without it the pet is decoration. */
    label?: string;
    /** `pet`, `petween`, `motion-pack`; found from the content when not given. */
    format?: string;
    profile?: "document" | "original";
    /** Further pictures that may be shown by name. */
    cels?: readonly string[];
    seed?: number | bigint | string;
    /** It can be sought back. */
    history?: boolean;
    /** Whether particles fly; true. */
    particles?: boolean;
    /** The state to begin in. */
    state?: string;
    speed?: number;
    paused?: boolean;
    /** Whether a click on its picture counts; true. */
    clickable?: boolean;
    /** `auto` follows the system. A pet that says `always` or `never` itself is obeyed. */
    reducedMotion?: "auto" | "reduce" | "no-preference";
    /** What becomes of it outside of what is seen of the page: it stands still (the default), or goes on. */
    offscreen?: "freeze" | "play";
    /** Frees it; while it loads, ends that. */
    signal?: AbortSignal;
}

interface PetStageEventMap { animation: CustomEvent<EngineEvent> }

/**
 * A pet, or one petween animation, made of elements. Its player decides what runs, the Web Animations of the browser
 * move it.
 * Dispatches `animation` for each event of the player.
 */
export declare class PetStage extends EventTarget {
    private constructor();
    /** Loads all that belongs to it and puts it into the parent. An address, or the document itself. */
    static open(input: Input | URL, options: PetStageOptions): Promise<PetStage>;

    /** What is told to it directly shows with the next frame. */
    readonly player: Player;
    readonly program: Program;
    /** A square of the size asked for. What moves may leave it. */
    readonly element: HTMLElement;
    readonly layers: Record<LayerName | "root", HTMLElement>;
    /** All that run, those that others lie over as well. */
    readonly animations: Animation[];
    /** Its clock, ms. */
    readonly now: number;
    readonly state: Player["state"];
    /** The name of the picture on show. */
    readonly picture: string | null;
    readonly paused: boolean;
    speed: number;
    reducedMotion: "auto" | "reduce" | "no-preference";

    /** The state of this name is taken at once. false: there is none. */
    request(state: string): boolean;
    /** What somebody is at. false: there is no such type. */
    status(type: string, how?: { source?: string; tool?: string; at?: number }): boolean;
    click(): boolean;
    play(clip: string, how?: { interrupt?: boolean }): boolean;
    flash(cel: string, ms?: number): boolean;
    pause(): void;
    resume(): void;
    /** To any instant of its clock, ms; back only with `history`. What is passed is returned, and not dispatched. */
    seek(ms: number): EngineEvent[];
    /** Takes all away: elements, animations, listeners, the player and its program. */
    free(): void;

    addEventListener<K extends keyof PetStageEventMap>(
        type: K, listener: (this: PetStage, event: PetStageEventMap[K]) => void,
        options?: boolean | AddEventListenerOptions,
    ): void;
    addEventListener(
        type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions,
    ): void;
}
