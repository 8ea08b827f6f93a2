// The stage that draws by the module's own rasteriser: the same bytes everywhere, in Node too.
import { Scene } from "./scene.js";

const REDUCED_MAX = 1 << 24; // pixels; beyond so many borders are fine enough

/** A colour as 32 bits, premultiplied, for zw_image_fill. @param {any} background "#rrggbb", "#rrggbbaa", [r, g, b, a] */
export function colorOf(background) {
    if (background === undefined || background === null) { return 0; }
    let parts = background;
    if (typeof background === "string") {
        const digits = /^#([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(background);
        if (!digits) { throw new TypeError(`a background is "#rrggbb", "#rrggbbaa" or four numbers, not ${JSON.stringify(background)}`); }
        const all = digits[1] + (digits[2] ?? "ff");
        parts = [0, 2, 4, 6].map((at) => parseInt(all.slice(at, at + 2), 16));
    }
    if (!Array.isArray(parts) || parts.length !== 4 || !parts.every((p) => Number.isInteger(p) && p >= 0 && p <= 255)) {
        throw new TypeError("a background's numbers are whole, from 0 to 255: red, green, blue, alpha");
    }
    const [r, g, b, a] = parts;
    const premultiplied = [r, g, b].map((c) => Math.round(c * a / 255));
    return (premultiplied[0] | premultiplied[1] << 8 | premultiplied[2] << 16 | a << 24) >>> 0;
}

export class PixelStage {
    #at = 0;
    #size = 0;
    #large = 0;
    #largeSize = 0;
    /** @type {any} */
    #context = null;
    /** @type {ImageData | null} */
    #image = null;

    /**
     * @param {any} canvas that it draws to, or null: read() gives the pixels
     * @param {import("./program.js").Program} program @param {import("./pictures.js").Pictures} pictures
     */
    constructor(canvas, program, pictures) {
        this.renderer = "pixels";
        this.canvas = canvas;
        this.core = program.core;
        this.scene = new Scene(program, pictures);
        if (canvas) {
            this.#context = canvas.getContext("2d");
            if (!this.#context) { throw new TypeError("the canvas has a context of another kind already"); }
        }
    }

    #room(/** @type {number} */ size, /** @type {boolean} */ large) {
        if (large ? size <= this.#largeSize : size <= this.#size) { return; }
        const at = this.core.alloc(size);
        if (large) {
            this.core.free(this.#large);
            this.#large = at;
            this.#largeSize = size;
        } else {
            this.core.free(this.#at);
            this.#at = at;
            this.#size = size;
        }
    }

    // Solids are drawn twice as large and reduced, or their borders would have steps.
    #raster(/** @type {(view: any) => void} */ build, /** @type {any} */ view, /** @type {number} */ width, /** @type {number} */ height) {
        const exports = this.core.exports;
        const reduced = this.scene.solid && width * height <= REDUCED_MAX;
        this.#room(width * height * 4, false);
        if (reduced) { this.#room(width * height * 16, true); }
        const times = reduced ? 2 : 1;
        build({ ...view, width: width * times, height: height * times,
            ...(typeof view.scale === "number" ? { scale: view.scale * times } : {}) });
        exports.zw_image_fill(this.#at, width, height, colorOf(view.background));
        if (!reduced) {
            return exports.zw_scene_raster(this.scene.handle, this.#at, width, height) !== 0;
        }
        exports.zw_image_fill(this.#large, width * 2, height * 2, 0);
        const fine = exports.zw_scene_raster(this.scene.handle, this.#large, width * 2, height * 2) !== 0;
        exports.zw_image_reduce(this.#large, this.#at, width, height);
        return fine;
    }

    /**
     * Draws a player, or {clip, time, params}, to the canvas.
     * @param {any} what @param {any} [view]
     */
    draw(what, view = {}) { this.#show((v) => this.scene.build(what, v), view); }

    /** @param {any[]} figures @param {any} [view] */
    drawMany(figures, view = {}) { this.#show((v) => this.scene.buildMany(figures, v), view); }

    #show(/** @type {(view: any) => void} */ build, /** @type {any} */ view) {
        const width = view.width ?? this.canvas.width, height = view.height ?? this.canvas.height;
        if (!(width >= 1 && height >= 1)) { return; }
        if (this.canvas.width !== width) { this.canvas.width = width; }
        if (this.canvas.height !== height) { this.canvas.height = height; }
        if (!this.#image || this.#image.width !== width || this.#image.height !== height) {
            this.#image = new ImageData(width, height);
        }
        this.#into(build, view, /** @type {any} */ (this.#image));
        this.#context.putImageData(this.#image, 0, 0);
    }

    /**
     * The pixels, straight RGBA, into {width, height, data}.
     * @template {{width: number, height: number, data: Uint8Array | Uint8ClampedArray}} Target
     * @param {any} what @param {Target} target @param {any} [view]
     * @returns {Target}
     */
    read(what, target, view = {}) {
        if (target.data.length < target.width * target.height * 4) { throw new RangeError("the target has too few bytes"); }
        this.#into((v) => this.scene.build(what, v), view, target);
        return target;
    }

    #into(/** @type {(view: any) => void} */ build, /** @type {any} */ view, /** @type {any} */ target) {
        const { width, height, data } = target;
        this.#raster(build, view, width, height);
        this.core.exports.zw_image_unpremultiply(this.#at, width, height);
        data.set(this.core.u8.subarray(this.#at, this.#at + width * height * 4));
    }

    free() {
        this.scene.free();
        this.core.free(this.#at);
        this.core.free(this.#large);
        this.#at = this.#large = this.#size = this.#largeSize = 0;
    }
}
