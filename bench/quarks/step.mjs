// step.mjs FILE: the effects of a clip in three.quarks, held at a steady crowd. Prints nanoseconds a particle and frame of
// 1/60 s, once a round: `step_ns` of the systems alone, `frame_ns` with the buffers that a renderer is given. Then how many
// were alive, and means of what they look like, to compare with particle_bench.
import { readFileSync } from "node:fs";
import { MeshBasicMaterial, Scene } from "three";
import {
    BatchedRenderer, Bezier, ColorOverLife, ColorRange, ConeEmitter, ConstantValue, ForceOverLife, Gradient, IntervalValue,
    ParticleSystem, PiecewiseBezier, RenderMode, RotationOverLife, SizeOverLife, SpeedOverLife, Vector3, Vector4,
} from "three.quarks";

const FRAMES_BEFORE = 240, FRAMES = 60, ROUNDS = 5, DELTA = 1 / 60;

// A Hermite curve from 0 to 1, span by span.
function curve(of) {
    if (of.mode === "Constant") { return new ConstantValue(of.constantMax); }
    const keys = of.curveMax.map((key) => ({ ...key, value: key.value * of.multiplier }));
    return new PiecewiseBezier(keys.slice(1).map((b, i) => {
        const a = keys[i], third = (b.time - a.time) * of.multiplier / 3;
        return [new Bezier(a.value, a.value + a.outTangent * third, b.value - b.inTangent * third, b.value), a.time];
    }));
}

const range = (effect, name) => new IntervalValue(effect[`${name}Min`], effect[`${name}Max`]);
const colour = ({ r, g, b, a }) => new Vector4(r, g, b, a);
const keys = (of, value) => of.gradientMax.map((key) => [value(key.color), key.time]);

// Velocity over life has no counterpart. Speed over life is the cheapest thing that moves a particle by its age, so that
// this can only be too kind to the other side: one curve where the effect has two.
function system(effect) {
    return new ParticleSystem({
        looping: true, duration: effect.durationSeconds, worldSpace: true, renderMode: RenderMode.BillBoard,
        material: new MeshBasicMaterial({ transparent: true }),
        startLife: range(effect, "startLifetime"), startSpeed: range(effect, "startSpeed"), startSize: range(effect, "startSize"),
        startColor: new ColorRange(colour(effect.startColorMin), colour(effect.startColorMax)),
        emissionOverTime: range(effect, "emissionRate"),
        shape: new ConeEmitter({ radius: effect.shapeRadius, angle: effect.shapeAngle * Math.PI / 180 }),
        behaviors: [
            process.env.FORCE ? new ForceOverLife(curve(effect.velocityOverLifetime.x), curve(effect.velocityOverLifetime.y), new ConstantValue(0)) :
            new SpeedOverLife(curve(effect.velocityOverLifetime.x)),
            new SizeOverLife(curve(effect.sizeOverLifetime.x)),
            new RotationOverLife(curve(effect.rotationOverLifetime.z)),
            new ColorOverLife(new Gradient(keys(effect.colorOverLifetime, (c) => new Vector3(c.r, c.g, c.b)),
                                           keys(effect.colorOverLifetime, (c) => c.a))),
        ],
    });
}

const cpu_ns = () => { const { user, system } = process.cpuUsage(); return (user + system) * 1000; };
const scene = new Scene(), renderer = new BatchedRenderer();
const systems = JSON.parse(readFileSync(process.argv[2], "utf8")).effects.map(system);
scene.add(renderer);
for (const one of systems) {
    scene.add(one.emitter);
    renderer.addSystem(one);
}
const alive = () => systems.reduce((sum, one) => sum + one.particleNum, 0);
for (let frame = 0; frame < FRAMES_BEFORE; frame++) { renderer.update(DELTA); } // the compiler has warmed up by then
let least = Infinity;
for (let round = 0; round < ROUNDS; round++) {
    let step = 0, draw = 0, count = 0;
    for (let frame = 0; frame < FRAMES; frame++) { // the two halves of renderer.update
        const start = cpu_ns();
        for (const one of systems) { one.update(DELTA); }
        const stepped = cpu_ns();
        for (const batch of renderer.batches) { batch.update(); }
        draw += cpu_ns() - stepped;
        step += stepped - start;
        count += alive();
        least = Math.min(least, alive());
    }
    console.log(`step_ns ${(step / count).toFixed(3)} ns\nframe_ns ${((step + draw) / count).toFixed(3)} ns`);
}
console.log(`alive ${least} particles`);
const mean = (of) => systems.flatMap((one) => one.particles.slice(0, one.particleNum)).reduce((sum, p) => sum + of(p), 0) / alive();
console.log(`mean_size ${mean((p) => p.size.x).toFixed(5)}\nmean_alpha ${mean((p) => p.color.w).toFixed(5)}
mean_turn ${(mean((p) => p.rotation) * 180 / Math.PI).toFixed(5)}\nmean_age ${mean((p) => p.age / p.life).toFixed(5)}`);
