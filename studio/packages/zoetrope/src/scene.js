// Scenes: a pose through a view to triangles in the module's memory, in the order in which they are drawn. The stages
// draw them; a renderer of one's own may as well.
import { alive, outOfMemory } from "./core.js";
import { Pictures } from "./pictures.js";
import { Player } from "./player.js";

export const VERTEX = 8; // floats: x, y, u, v, r, g, b, a
export const COMMAND = 14; // words, as zo_command has them
export const HIDDEN = 1, HIDES = 2, REPEAT_U = 4, REPEAT_V = 8;
const ADD = 1;
const fits = ["contain", "cover", "none"];

const leftBehind = new FinalizationRegistry((/** @type {() => void} */ free) => free());

function number(/** @type {any} */ value, /** @type {number} */ otherwise, /** @type {string} */ name) {
    if (value === undefined) { return otherwise; }
    if (typeof value !== "number" || !Number.isFinite(value)) { throw new TypeError(`view.${name} must be a finite number`); }
    return value;
}

export class Scene {
    #handle;
    #free;
    #version = -1;
    #last = 0; // the picture shown last, which stands in for one that is not there
    /** @type {Uint32Array} */
    #wanted;

    /** @param {import("./program.js").Program} program @param {Pictures} pictures */
    constructor(program, pictures) {
        if (!(pictures instanceof Pictures) || pictures.program !== program) {
            throw new TypeError("a scene wants the Pictures of its program");
        }
        const exports = program.core.exports;
        const handle = exports.zw_scene_new(program.handle) >>> 0;
        if (handle === 0) { throw outOfMemory(); }
        program.hold();
        this.program = program;
        this.pictures = pictures;
        this.core = program.core;
        this.#handle = handle;
        this.#wanted = new Uint32Array(program.cels.length);
        this.solid = program.meshes.length > 0;
        let done = false;
        this.#free = () => {
            if (done) { return; }
            done = true;
            exports.zw_scene_free(handle);
            program.release();
        };
        leftBehind.register(this, this.#free, this);
    }

    /** @internal */
    get handle() { return alive(this.#handle, "scene"); }

    free() {
        leftBehind.unregister(this);
        this.#free();
        this.#handle = 0;
    }

    // What the module is to know of the pictures. One side's texture never stands in for another's.
    #sync() {
        const { core, pictures, program } = this;
        if (this.#version !== pictures.version) {
            if (!core.exports.zw_scene_pictures(this.handle, pictures.count)) { throw outOfMemory(); }
            for (let image = 1; image <= pictures.count; image++) {
                const { width, height } = pictures.entry(image);
                core.exports.zw_scene_picture(this.handle, image - 1, 0, width, height);
            }
            this.#version = pictures.version;
            if (this.#last > pictures.count) { this.#last = 0; }
        }
        if (this.#last === 0 && !this.solid) {
            for (let cel = 1; cel <= program.cels.length && this.#last === 0; cel++) { this.#last = pictures.imageOf(cel); }
        }
        const standIn = this.solid ? 0 : this.#last;
        for (let cel = 1; cel <= program.cels.length; cel++) { this.#wanted[cel - 1] = pictures.imageOf(cel) || standIn; }
        core.u32.set(this.#wanted, (core.exports.zw_scene_cels(this.handle) >>> 0) / 4);
    }

    #view(/** @type {any} */ view) {
        const { core, program } = this;
        const [left, top, right, bottom] = program.stage;
        const { fit = "contain" } = view;
        if (!fits.includes(fit)) { throw new RangeError(`view.fit must be one of ${fits.join(", ")}, not ${JSON.stringify(fit)}`); }
        let scale = number(view.scale, fit === "none" ? 1 : 0, "scale");
        if (fit === "cover" && view.scale === undefined) {
            const width = Math.abs(right - left), height = Math.abs(bottom - top);
            if (width > 0 && height > 0) { scale = Math.max(view.width / width, view.height / height); }
        }
        const center = view.center ?? [(left + right) / 2, (top + bottom) / 2];
        number(center[0], 0, "center[0]");
        number(center[1], 0, "center[1]");
        if (view.root) {
            const m = view.root;
            if (m.length !== 6 && m.length !== 12) { throw new TypeError("view.root is six numbers (a b c d e f) or a 3x4 matrix"); }
            const whole = m.length === 12 ? m : [m[0], m[2], 0, m[4], m[1], m[3], 0, m[5], 0, 0, 1, 0];
            core.f64.set(whole, (core.exports.zw_scene_root(this.handle) >>> 0) / 8);
        }
        core.exports.zw_scene_view(this.handle, number(view.width, 0, "width"), number(view.height, 0, "height"), scale,
            center[0], center[1], view.filter === "nearest" ? 1 : 0, view.root ? 1 : 0);
        const { yaw = 225, pitch = 30, zoom = 1, field = 0 } = view.camera ?? {};
        core.exports.zw_scene_camera(this.handle, number(yaw, 225, "camera.yaw"), number(pitch, 30, "camera.pitch"),
            number(zoom, 1, "camera.zoom"), number(field, 0, "camera.field"));
    }

    /**
     * Makes the list of triangles. What it is made of stays in place until the next call that may allocate.
     * @param {any} what a Player, or {clip, time, params} @param {any} view
     */
    build(what, view) {
        this.#sync();
        this.#view(view);
        this.#fill(what);
        if (this.#takePictures()) {
            this.#fill(what);
            this.#takePictures(); // of what stands in
        }
        return this;
    }

    /**
     * Flat players of the program as one list, one over the other.
     * @param {{player: Player, x: number, y: number, scale?: number}[]} figures @param {any} view
     */
    buildMany(figures, view) {
        this.#sync();
        this.#view({ fit: "none", scale: 1, center: [view.width / 2, view.height / 2], ...view });
        this.#fillMany(figures);
        if (this.#takePictures()) {
            this.#fillMany(figures);
            this.#takePictures();
        }
        return this;
    }

    #fill(/** @type {any} */ what) {
        const exports = this.core.exports;
        if (what instanceof Player) {
            if (what.program !== this.program) { throw new TypeError("the player is of another program than the scene"); }
            if (!exports.zw_scene_player(this.handle, what.handle)) { throw outOfMemory(); }
            return;
        }
        const clip = this.program.clip(what.clip);
        let at = 0;
        if (what.params) {
            at = this.core.alloc(Math.max(8, clip.paramCount * 8));
            this.core.f64.set(what.params.slice(0, clip.paramCount), at / 8);
        }
        const fine = exports.zw_scene_clip(this.handle, clip.id, number(what.time, 0, "time"), at);
        this.core.free(at);
        if (!fine) { throw outOfMemory(); }
    }

    #fillMany(/** @type {any[]} */ figures) {
        const { core } = this;
        const players = core.alloc(Math.max(4, figures.length * 4));
        let places = 0;
        try {
            places = core.alloc(Math.max(8, figures.length * 24));
            const u32 = core.u32, f64 = core.f64;
            for (let i = 0; i < figures.length; i++) {
                const { player, x, y, scale = 1 } = figures[i];
                if (player.program !== this.program) { throw new TypeError("all players of a crowd are of its program"); }
                u32[players / 4 + i] = player.handle;
                f64[places / 8 + 3 * i] = x;
                f64[places / 8 + 3 * i + 1] = y;
                f64[places / 8 + 3 * i + 2] = scale;
            }
            if (!core.exports.zw_scene_crowd(this.handle, players, places, figures.length)) { throw outOfMemory(); }
        } finally {
            core.free(players);
            core.free(places);
        }
    }

    // Pixels for what is drawn. true: a picture could not be had, something stands in for it, and the list is made anew.
    #takePictures() {
        const { core, pictures } = this;
        let again = false;
        const count = this.commandCount;
        for (let i = 0; i < count; i++) {
            const image = core.u32[this.commandsAt / 4 + i * COMMAND];
            if (image === 0) { continue; }
            if (pictures.want(image)) {
                const { at, width, height } = pictures.entry(image);
                core.exports.zw_scene_picture(this.handle, image - 1, at, width, height);
                if (!this.solid) { this.#last = image; }
                continue;
            }
            core.exports.zw_scene_picture(this.handle, image - 1, 0, 0, 0); // of no size: not drawn
            const cels = (core.exports.zw_scene_cels(this.handle) >>> 0) / 4;
            const standIn = this.solid ? 0 : this.#standIn(image);
            for (let cel = 0; cel < this.#wanted.length; cel++) {
                if (core.u32[cels + cel] === image) { core.u32[cels + cel] = standIn; }
            }
            again = true;
        }
        return again;
    }

    // What was shown before, or else the first picture that can be; 0: there is none.
    #standIn(/** @type {number} */ image) {
        const { pictures } = this;
        if (this.#last !== 0 && this.#last !== image && pictures.want(this.#last)) { return this.#last; }
        for (let other = 1; other <= pictures.count; other++) {
            if (other !== image && pictures.want(other)) { return other; }
        }
        return 0;
    }

    /** @internal */
    get commandsAt() { return this.core.exports.zw_scene_commands(this.handle) >>> 0; }
    get commandCount() { return this.core.exports.zw_scene_command_count(this.handle) >>> 0; }
    get vertexCount() { return this.core.exports.zw_scene_vertex_count(this.handle) >>> 0; }
    get indexCount() { return this.core.exports.zw_scene_index_count(this.handle) >>> 0; }

    /** Eight numbers a vertex: x, y (px), u, v (px of the picture), r, g, b, a (premultiplied). A view: copy to keep. */
    get vertices() {
        const at = (this.core.exports.zw_scene_vertices(this.handle) >>> 0) / 4;
        return this.core.f32.subarray(at, at + this.vertexCount * VERTEX);
    }

    /** Two numbers a vertex of what stands in space: depth 0..1, 1 / distance. Empty where all is flat. */
    get depths() {
        const at = (this.core.exports.zw_scene_depths(this.handle) >>> 0) / 4;
        return this.core.f32.subarray(at, at === 0 ? 0 : at + this.vertexCount * 2);
    }

    get indices() {
        const at = (this.core.exports.zw_scene_indices(this.handle) >>> 0) / 4;
        return this.core.u32.subarray(at, at + this.indexCount);
    }

    /** What is drawn with what, in order. */
    get commands() {
        const commands = [];
        const { u32, f32, i32 } = this.core;
        for (let i = 0, at = this.commandsAt / 4; i < this.commandCount; i++, at += COMMAND) {
            commands.push({
                image: u32[at], firstIndex: u32[at + 1], indexCount: u32[at + 2],
                blend: u32[at + 3] === ADD ? "add" : "over", filter: u32[at + 4] === 1 ? "nearest" : "bilinear",
                depth: f32[at + 5], flags: u32[at + 6], alphaMin: f32[at + 7], layer: i32[at + 8], order: i32[at + 9],
                region: [...u32.subarray(at + 10, at + 14)],
            });
        }
        return commands;
    }
}
