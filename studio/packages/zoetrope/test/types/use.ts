// The package as a user in TypeScript writes it; compiled, not run.
import {
    check, compile, compileSync, convert, createCrowd, createStage, draw, frames, load, Pictures, Player, Program, Scene, TextDocument,
    ZoetropeError, type Event, type Pose, type Report, type Stage,
} from "zoetrope";
import { animations, createLayers, PetStage, playInto } from "zoetrope/dom";
import "zoetrope/element";

await load(new URL("zoetrope.wasm", "https://example.org/"));
await load(fetch("zoetrope.wasm"));
const report: Report = await check("{}", { strict: true, profile: "original" });
for (const fault of report.diagnostics) { console.log(fault.line, fault.hint ?? "", fault.fix?.edits.length); }

const program: Program = await compile(new URL("https://example.org/pet.json"), { files: { "a.json": {} } });
const player = new Player(program, { seed: 7n, history: false });
const told: Event[] = player.advance(16);
for (const event of told) {
    switch (event.kind) {
        case "state": console.log(event.state, event.via); break;
        case "run-end": console.log(event.end satisfies "finished" | "cancelled" | "crowded-out"); break;
        case "notify": console.log(event.arguments?.["volume"]); break;
        default: console.log(event.t, event.name);
    }
}
player.set("speed", { add: 1, mul: 2 });
const pose: Pose = player.sample();
console.log(pose.value("transition.y"), program.clips[0]?.durationMs);

const pictures = new Pictures(program);
await pictures.load({ decode: () => ({ width: 1, height: 1, data: new Uint8Array(4) }) });
const stage: Stage = await createStage(document.createElement("canvas"), program, { renderer: "auto", pictures });
stage.draw(player, { fit: "cover", background: "#102030" });
const image: ImageData = draw(player, new ImageData(1, 1), { pictures });
const crowd = await createCrowd(new OffscreenCanvas(1, 1), program);
crowd.draw([{ player, x: 1, y: 2 }], { width: image.width, height: 1 });
new Scene(program, pictures).build({ clip: 1, time: 0.5 }, { width: 1, height: 1 }).commands.map((c) => c.blend);

const plan = animations(await frames("builtin:jelly"));
playInto(createLayers(document.body), await frames("builtin:jelly"), {});
console.log(plan);
const pet = await PetStage.open("{}", { parent: document.body });
pet.free();
const one = document.querySelector("zoetrope-player");
one?.addEventListener("ready", ({ detail }) => console.log(detail.program.format));
const bytes: Uint8Array = await convert("{}", "b3d");
const document_ = new TextDocument(bytes);
document_.apply(document_.apply([{ offset: 0, remove: 0, insert: " " }]));
try { compileSync("{"); } catch (fault) { if (fault instanceof ZoetropeError) { console.log(fault.status); } }

// @ts-expect-error a program is made by compile()
new Program();
// @ts-expect-error there is no such profile
await check("{}", { profile: "orginal" });
// @ts-expect-error a renderer of another name
await createStage(document.createElement("canvas"), program, { renderer: "canvas" });
// @ts-expect-error a time is a number
player.advance("16");
// @ts-expect-error what is told is read-only
program.clips.push(program.clips[0]!);
// @ts-expect-error of this event there is no such member
console.log(told.filter((e) => e.kind === "run-start")[0]!.via);
