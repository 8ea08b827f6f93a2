// The package's entry `zoetrope/dom`: petween definitions as Web Animations, and whole pets made of elements.
export { animations, createLayers, keyframes, LAYERS, ORIGIN, playInto } from "./waapi.js";
export { PetStage } from "./pet-stage.js";
