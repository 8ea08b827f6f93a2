// The stage that draws by WebGL2: one small shader over the list of triangles, flat or in space. Texels are mixed by the
// rasteriser's own integers, so both look the same; borders are the graphics card's.
import { colorOf } from "./pixels.js";
import { COMMAND, HIDDEN, HIDES, REPEAT_U, REPEAT_V, Scene, VERTEX } from "./scene.js";

const vertexText = `#version 300 es
layout(location = 0) in vec2 place;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 factor;
layout(location = 3) in vec2 depth; // and 1 / distance
uniform vec2 scale;
out vec2 uv;
out vec4 color;
void main() {
    float w = 1.0 / depth.y;
    gl_Position = vec4((place * scale - vec2(1.0, -1.0)) * w, (depth.x * 2.0 - 1.0) * w, w);
    uv = texel;
    color = factor;
}`;

// Weights of eight bits that add up to 256, and the average over what a pixel covers of a reduced picture.
// Source: src/draw/texel.c, of which this is the same.
const fragmentText = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D picture;
uniform ivec4 region; // left, top, right, bottom, those included
uniform bvec2 repeats;
uniform int kind;     // 0: plain colour, 1: nearest, 2: mixed
uniform float alphaMin;
uniform int levels;   // how often the picture is there halved; 0 where it is not shown whole
in vec2 uv;
in vec4 color;
out vec4 result;

int pick(int at, int low, int high, bool again) {
    if (!again) { return clamp(at, low, high); }
    int count = high - low + 1;
    int rest = (at - low) % count;
    return low + (rest < 0 ? rest + count : rest);
}

uvec4 texelAt(int x, int y) {
    ivec2 at = ivec2(pick(x, region.x, region.z, repeats.x), pick(y, region.y, region.w, repeats.y));
    return uvec4(texelFetch(picture, at, 0) * 255.0 + 0.5);
}

uvec4 mixed(vec2 at) {
    vec2 moved = clamp(at, -1e6, 1e6) - 0.5 + 1.0 / 512.0;
    vec2 whole = floor(moved);
    uvec2 f = uvec2((moved - whole) * 256.0);
    ivec2 i = ivec2(whole);
    uint across = (f.x * f.y + 128u) >> 8u;
    uvec4 sum = texelAt(i.x, i.y) * (256u - f.x - f.y + across) + texelAt(i.x + 1, i.y) * (f.x - across)
        + texelAt(i.x, i.y + 1) * (f.y - across) + texelAt(i.x + 1, i.y + 1) * across;
    return (sum + 128u) >> 8u;
}

// How many points along one side of a pixel's footprint, and how far they are apart.
int taps(vec2 way, out vec2 apart) {
    float square = dot(way, way);
    apart = vec2(0.0);
    if (!(square > 1.25)) { return 1; }
    float reach = sqrt(square - 1.25);
    float count = clamp(floor(reach / 0.75) + 1.0, 2.0, 16.0);
    apart = way * (reach / (sqrt(square) * count));
    return int(count);
}

uvec4 averaged(vec2 at) {
    vec2 way = dFdx(uv), down = dFdy(uv), right, below;
    // What is much reduced comes from the card's own halved pictures: one look instead of hundreds.
    float covered = sqrt(length(way) * length(down));
    if (levels > 0 && covered > 1.5) {
        vec2 size = vec2(textureSize(picture, 0));
        return uvec4(textureLod(picture, at / size, log2(covered) - 0.5) * 255.0 + 0.5);
    }
    int columns = taps(way, right), rows = taps(down, below);
    if (columns * rows == 1) { return mixed(at); }
    uvec4 sum = uvec4(0u);
    vec2 first = at - right * float(columns - 1) * 0.5 - below * float(rows - 1) * 0.5;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) { sum += mixed(first + right * float(x) + below * float(y)); }
    }
    uint count = uint(columns * rows);
    return (sum + count / 2u) / count;
}

void main() {
    uvec4 run = uvec4(255u);
    if (kind == 1) {
        ivec2 at = ivec2(floor(clamp(uv, -1e6, 1e6) + 1.0 / 65536.0));
        run = texelAt(at.x, at.y);
    } else if (kind == 2) {
        run = averaged(uv);
    }
    uvec4 factor = uvec4(clamp(color, 0.0, 1.0) * 255.0 + 0.5);
    run = (run * factor * 2u + 255u) / 510u;
    if (float(run.a) < alphaMin * 255.0) { discard; }
    result = vec4(run) / 255.0;
}`;

let probed = /** @type {boolean | null} */ (null);
let contexts = 0; // that stages of the kind "auto" hold
const CONTEXTS_MAX = 8; // of one page; browsers take the oldest away beyond sixteen or so

/** Whether drawing by WebGL2 is worth it here: there is a graphics card behind it, and a context to spare. */
export function suits() {
    if (contexts >= CONTEXTS_MAX) { return false; }
    if (probed === null) {
        probed = false;
        try {
            const canvas = typeof OffscreenCanvas === "function" ? new OffscreenCanvas(1, 1) : document.createElement("canvas");
            const gl = /** @type {any} */ (canvas.getContext("webgl2"));
            if (gl) {
                const told = gl.getExtension("WEBGL_debug_renderer_info");
                const name = String(gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
                probed = !/swiftshader|llvmpipe|software|basic render/i.test(name);
                gl.getExtension("WEBGL_lose_context")?.loseContext();
            }
        } catch {
            probed = false;
        }
    }
    return probed;
}

function shaderOf(/** @type {WebGL2RenderingContext} */ gl, /** @type {number} */ kind, /** @type {string} */ text) {
    const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    return shader;
}

export class WebglStage {
    /** @type {any} */
    #gl;
    /** @type {any} */
    #uniforms;
    /** @type {any} */
    #buffers;
    /** @type {Map<number, {texture: WebGLTexture, stamp: number}>} */
    #textures = new Map();
    /** @type {(() => void) | null} */
    #again = null;
    #lost = false;
    #counted;
    /** @type {Float32Array} */
    #flat = new Float32Array(0);
    #sizeMax = 0;
    #onLost;
    #onRestored;

    /**
     * @param {any} canvas @param {import("./program.js").Program} program @param {import("./pictures.js").Pictures} pictures
     * @param {{counted?: boolean, preserve?: boolean}} [options]
     */
    constructor(canvas, program, pictures, options = {}) {
        this.renderer = "webgl";
        this.canvas = canvas;
        this.core = program.core;
        const solid = program.meshes.length > 0;
        this.#gl = canvas.getContext("webgl2", {
            alpha: true, premultipliedAlpha: true, depth: solid, antialias: solid, stencil: false,
            preserveDrawingBuffer: options.preserve ?? false,
        });
        if (!this.#gl) { throw new TypeError("there is no WebGL2 here, or the canvas has a context of another kind already"); }
        this.scene = new Scene(program, pictures);
        this.#counted = options.counted ?? false;
        if (this.#counted) { contexts++; }
        this.#onLost = (/** @type {Event} */ event) => {
            event.preventDefault(); // else it is never restored
            this.#lost = true;
            this.#textures.clear();
        };
        this.#onRestored = () => {
            this.#lost = false;
            this.#begin();
            this.#again?.();
        };
        canvas.addEventListener("webglcontextlost", this.#onLost);
        canvas.addEventListener("webglcontextrestored", this.#onRestored);
        try {
            this.#begin();
        } catch (fault) {
            this.free();
            throw fault;
        }
    }

    get lost() { return this.#lost || this.#gl.isContextLost(); }

    #begin() {
        const gl = this.#gl;
        const made = gl.createProgram();
        gl.attachShader(made, shaderOf(gl, gl.VERTEX_SHADER, vertexText));
        gl.attachShader(made, shaderOf(gl, gl.FRAGMENT_SHADER, fragmentText));
        gl.linkProgram(made);
        if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) {
            throw new Error(`the shader is refused: ${gl.getProgramInfoLog(made)}`);
        }
        gl.useProgram(made);
        this.#uniforms = {};
        for (const name of ["scale", "picture", "region", "repeats", "kind", "alphaMin", "levels"]) {
            this.#uniforms[name] = gl.getUniformLocation(made, name);
        }
        this.#buffers = { vertices: gl.createBuffer(), depths: gl.createBuffer(), indices: gl.createBuffer() };
        gl.bindVertexArray(gl.createVertexArray());
        gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers.vertices);
        for (const [at, size, offset] of [[0, 2, 0], [1, 2, 8], [2, 4, 16]]) {
            gl.enableVertexAttribArray(at);
            gl.vertexAttribPointer(at, size, gl.FLOAT, false, VERTEX * 4, offset);
        }
        gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers.depths);
        gl.vertexAttribPointer(3, 2, gl.FLOAT, false, 8, 0);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#buffers.indices);
        gl.uniform1i(this.#uniforms.picture, 0);
        gl.enable(gl.BLEND);
        gl.depthFunc(gl.LEQUAL);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
        this.#sizeMax = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    }

    // The picture on the card, as it is now; null: it is too large for this one.
    #texture(/** @type {number} */ image) {
        const gl = this.#gl;
        const { at, width, height, stamp } = this.scene.pictures.entry(image);
        if (width > this.#sizeMax || height > this.#sizeMax) { return null; }
        let held = this.#textures.get(image);
        if (!held) {
            held = { texture: gl.createTexture(), stamp: 0 };
            this.#textures.set(image, held);
        }
        gl.bindTexture(gl.TEXTURE_2D, held.texture);
        if (held.stamp !== stamp) {
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE,
                this.core.u8.subarray(at, at + width * height * 4));
            gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
            gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
            gl.generateMipmap(gl.TEXTURE_2D);
            for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) { gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE); }
            held.stamp = stamp;
        }
        return held.texture;
    }

    // Those that the pictures have given up, or replaced by fewer.
    #forget() {
        const { pictures } = this.scene;
        for (const [image, { texture }] of this.#textures) {
            if (image <= pictures.count && pictures.entry(image).at !== 0) { continue; }
            this.#gl.deleteTexture(texture);
            this.#textures.delete(image);
        }
    }

    /**
     * Draws a player, or {clip, time, params}, to the canvas.
     * @param {any} what @param {any} [view]
     */
    draw(what, view = {}) { this.#show((v) => this.scene.build(what, v), view, () => this.draw(what, view)); }

    /** @param {any[]} figures @param {any} [view] */
    drawMany(figures, view = {}) {
        this.#show((v) => this.scene.buildMany(figures, v), view, () => this.drawMany(figures, view));
    }

    #show(/** @type {(view: any) => void} */ build, /** @type {any} */ view, /** @type {() => void} */ again) {
        const width = view.width ?? this.canvas.width, height = view.height ?? this.canvas.height;
        if (!(width >= 1 && height >= 1)) { return; }
        this.#again = again;
        if (this.lost) { return; }
        if (this.canvas.width !== width) { this.canvas.width = width; }
        if (this.canvas.height !== height) { this.canvas.height = height; }
        build({ ...view, width, height });
        const gl = this.#gl;
        gl.viewport(0, 0, width, height);
        const color = colorOf(view.background);
        gl.clearColor((color & 255) / 255, (color >> 8 & 255) / 255, (color >> 16 & 255) / 255, (color >>> 24) / 255);
        gl.depthMask(true);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        this.#upload();
        gl.uniform2f(this.#uniforms.scale, 2 / width, -2 / height);
        this.#drawCommands();
        this.#forget();
    }

    #upload() {
        const gl = this.#gl, { scene } = this;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers.vertices);
        gl.bufferData(gl.ARRAY_BUFFER, scene.vertices, gl.STREAM_DRAW);
        const depths = scene.depths;
        if (depths.length > 0) {
            gl.enableVertexAttribArray(3);
            gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers.depths);
            gl.bufferData(gl.ARRAY_BUFFER, this.#safeDepths(depths), gl.STREAM_DRAW);
        } else {
            gl.disableVertexAttribArray(3);
            gl.vertexAttrib2f(3, 0, 1);
        }
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, scene.indices, gl.STREAM_DRAW);
    }

    // Vertices of what is flat among solids have no depth of their own: they lie on the viewport.
    #safeDepths(/** @type {Float32Array} */ depths) {
        if (this.#flat.length < depths.length) { this.#flat = new Float32Array(depths.length); }
        const own = this.#flat.subarray(0, depths.length);
        own.set(depths);
        for (let i = 1; i < own.length; i += 2) { if (!(own[i] > 0)) { own[i] = 1; } }
        return own;
    }

    #drawCommands() {
        const gl = this.#gl, { scene, core } = this;
        const uniforms = this.#uniforms;
        const count = scene.commandCount;
        let at = scene.commandsAt / 4;
        const { u32, f32 } = core;
        for (let i = 0; i < count; i++, at += COMMAND) {
            const image = u32[at], flags = u32[at + 6];
            const entry = image > 0 ? scene.pictures.entry(image) : null;
            if (entry && (entry.at === 0 || !this.#texture(image))) { continue; }
            gl.uniform1i(uniforms.kind, !entry ? 0 : u32[at + 4] === 1 ? 1 : 2);
            gl.uniform1f(uniforms.alphaMin, f32[at + 7]);
            if (entry) {
                const [x, y, width, height] = u32.subarray(at + 10, at + 14);
                const whole = width === 0 || (x === 0 && y === 0 && width === entry.width && height === entry.height);
                const halved = whole && (flags & (REPEAT_U | REPEAT_V)) === 0;
                gl.uniform1i(uniforms.levels, halved ? Math.floor(Math.log2(Math.max(entry.width, entry.height))) : 0);
                gl.uniform4i(uniforms.region, whole ? 0 : x, whole ? 0 : y, (whole ? entry.width : x + width) - 1,
                    (whole ? entry.height : y + height) - 1);
                gl.uniform2i(uniforms.repeats, flags & REPEAT_U, flags & REPEAT_V);
            }
            if (u32[at + 3] === 1) { gl.blendFunc(gl.ONE, gl.ONE); } else { gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA); }
            if ((flags & (HIDDEN | HIDES)) !== 0) { gl.enable(gl.DEPTH_TEST); } else { gl.disable(gl.DEPTH_TEST); }
            gl.depthFunc((flags & HIDDEN) !== 0 ? gl.LEQUAL : gl.ALWAYS);
            gl.depthMask((flags & HIDES) !== 0);
            gl.drawElements(gl.TRIANGLES, u32[at + 2], gl.UNSIGNED_INT, u32[at + 1] * 4);
        }
    }

    free() {
        this.canvas.removeEventListener("webglcontextlost", this.#onLost);
        this.canvas.removeEventListener("webglcontextrestored", this.#onRestored);
        this.#again = null;
        this.scene.free();
        if (this.#counted) { contexts--; }
        this.#counted = false;
        this.#textures.clear();
        this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
    }
}
