// Stages: a canvas and the way in which it is drawn to; and drawing in one call, for pictures that are needed once.
import { Pictures } from "./pictures.js";
import { PixelStage } from "./pixels.js";
import { suits, WebglStage } from "./webgl.js";

const renderers = ["auto", "webgl", "pixels"];

/**
 * A stage that draws players of a program to a canvas, as often as one likes.
 * @param {any} canvas @param {import("./program.js").Program} program
 * @param {{renderer?: string, pictures?: Pictures, preserve?: boolean}} [options]
 */
export async function createStage(canvas, program, options = {}) {
    const { renderer = "auto" } = options;
    if (!renderers.includes(renderer)) {
        throw new RangeError(`renderer must be one of ${renderers.join(", ")}, not ${JSON.stringify(renderer)}`);
    }
    let pictures = options.pictures;
    if (!pictures) {
        pictures = new Pictures(program);
        await pictures.load();
    }
    if (renderer === "webgl") { return new WebglStage(canvas, program, pictures, { preserve: options.preserve }); }
    if (renderer === "auto" && suits()) {
        try {
            return new WebglStage(canvas, program, pictures, { counted: true, preserve: options.preserve });
        } catch {
            // the canvas has no context of that kind then, and may have another
        }
    }
    return new PixelStage(canvas, program, pictures);
}

/**
 * A stage for many flat players of one program on one canvas: draw([{player, x, y, scale}], view), x and y in px.
 * @param {any} canvas @param {import("./program.js").Program} program @param {any} [options] as of createStage
 */
export async function createCrowd(canvas, program, options = {}) {
    if (program.meshes.length > 0) { throw new TypeError("a crowd is of flat programs"); }
    const stage = await createStage(canvas, program, options);
    return {
        renderer: stage.renderer,
        stage,
        draw(/** @type {any[]} */ figures, /** @type {any} */ view = {}) { stage.drawMany(figures, view); },
        free() { stage.free(); },
    };
}

/**
 * Draws a player, or {clip, time, params}, once: to a canvas, or to {width, height, data} (ImageData, or such in Node).
 * @param {any} what @param {any} target
 * @param {{pictures: Pictures, view?: any}} options
 */
export function draw(what, target, options) {
    if (!(options?.pictures instanceof Pictures)) { throw new TypeError("draw() wants { pictures }, the Pictures of the program"); }
    const program = options.pictures.program;
    const stage = new PixelStage(null, program, options.pictures);
    try {
        if (target.data) { return stage.read(what, target, options.view); }
        const image = new ImageData(target.width, target.height);
        stage.read(what, /** @type {any} */ (image), options.view);
        const context = target.getContext("2d");
        if (!context) { throw new TypeError("the canvas has a context of another kind already"); }
        context.putImageData(image, 0, 0);
        return target;
    } finally {
        stage.free();
    }
}
