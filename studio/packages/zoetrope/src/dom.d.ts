// Types of the package's entry `zoetrope/dom`.
export {
    animations, createLayers, keyframes, LAYERS, ORIGIN, playInto,
    type AnimationPlan, type AnimationsOptions, type FrameEvent, type FramesDocument, type LayerAnimation,
    type LayerElements, type LayerFrame, type LayerName, type LayerTiming, type Playback, type PlayOptions,
    type RepeatMode, type Segment,
} from "./waapi.js";
export { PetStage, type PetPicture, type PetStageOptions } from "./pet-stage.js";
