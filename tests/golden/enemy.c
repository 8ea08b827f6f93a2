// Golden scenes of the example in examples/enemy: at its start, in the air, at the blow, where every kind of effect is to
// be seen; and the whole of its three clips as numbers.
#include <string.h>

#include "example.h"
#include "golden.h"

static void frame_of(zo_image *target, const char *clip, uint32_t frame) {
    example e = example_open(NULL);
    example_start(&e, clip);
    example_go(&e, frame);
    example_draw(&e, target);
    example_close(&e);
}

void golden_enemy_first(zo_image *target) { frame_of(target, "idle", 0); }
void golden_enemy_middle(zo_image *target) { frame_of(target, "hop", 40); }
void golden_enemy_effects(zo_image *target) { frame_of(target, "attack", GOLDEN_ENEMY_BLOW); }

static uint64_t hash_effects(const example *e, uint64_t hash) {
    zo_particle particle;
    for (uint32_t i = 0; zo_instance_particle_at(e->instance, i, &particle); i++) {
        const double parts[] = {particle.width, particle.height,  particle.x,    particle.y,
                                particle.turn,  particle.opacity, particle.frame};
        hash = golden_hash(hash, parts, sizeof parts);
        hash = golden_hash(hash, particle.colour, sizeof particle.colour);
    }
    zo_effect effect;
    for (uint32_t i = 0; zo_instance_effect_at(e->instance, i, &effect); i++) {
        const double parts[] = {effect.kind, effect.x, effect.y, effect.turn, effect.points, (double)effect.age_ns};
        hash = golden_hash(hash, parts, sizeof parts);
    }
    return hash;
}

uint64_t golden_enemy_play(void) {
    example e = example_open(NULL);
    uint64_t hash = GOLDEN_HASH_START;
    static const char *const clips[] = {"idle", "hop", "attack"};
    for (uint32_t c = 0; c < 3; c++) {
        example_start(&e, clips[c]);
        for (uint32_t frame = 0; frame <= 320; frame++) { // idle: into its second round
            example_go(&e, frame);
            hash = golden_hash(hash, e.pose->slots, e.pose->slot_count * sizeof *e.pose->slots);
            hash = golden_hash(hash, e.pose->transforms, e.pose->target_count * sizeof *e.pose->transforms);
            hash = hash_effects(&e, hash);
        }
    }
    example_close(&e);
    return hash;
}
