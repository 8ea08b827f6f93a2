// What the package offers: one module, shared by all that is imported from here.
export { ZoetropeError } from "./core.js";
export { load } from "./load.js";
export {
    builtin, builtins, check, checkSync, compile, compileSync, convert, formats, frames, framesSync, rule, rules, schema, version,
} from "./compile.js";
export { Pose, Program } from "./program.js";
export { Player, Snapshot } from "./player.js";
export { TextDocument } from "./document.js";
export { Pictures } from "./pictures.js";
export { Scene } from "./scene.js";
export { createCrowd, createStage, draw } from "./stage.js";
