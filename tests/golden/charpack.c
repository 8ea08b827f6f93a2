// Golden scenes of the example in examples/charpack: as it begins, waving, asleep, its mouth shut while it speaks; and
// as numbers eighteen seconds of it, half of them by chance, and what it says.
#include <string.h>

#include "golden.h"
#include "pack.h"

static const char folder[] = "examples/charpack/vesper";

static void moment(zo_image *target, const char *label, uint32_t ms) {
    pack p = pack_open(folder, NULL);
    pack_start(&p, 1);
    if (label != NULL) { zo_instance_trigger(p.instance, label, false); }
    pack_go(&p, ms, NULL, NULL);
    pack_draw(&p, target);
    pack_close(&p);
}

void golden_pack_first(zo_image *target) { moment(target, NULL, 0); }
void golden_pack_waving(zo_image *target) { moment(target, "wave", 660); }
void golden_pack_asleep(zo_image *target) { moment(target, "sleep", 1000); }

// Somebody speaks, and makes a pause: over the open mouth lies a shut one. Enlarged, so that its border is seen.
void golden_pack_pause(zo_image *target) {
    pack p = pack_open(folder, NULL);
    pack_start(&p, 1);
    zo_instance_speaking(p.instance, true);
    zo_instance_set_mouth(p.instance, 0.5);
    pack_go(&p, 200, NULL, NULL);
    zo_instance_set_mouth(p.instance, 0.0);
    pack_go(&p, 60, NULL, NULL);
    pack_draw(&p, target);
    pack_close(&p);
}

static void hash_event(void *context, const zo_event *event) {
    uint64_t *hash = context;
    const int64_t parts[] = {event->kind,   event->t_ns,     event->clip.id, event->index,
                             event->cel.id, event->state.id, event->via};
    *hash = golden_hash(*hash, parts, sizeof parts);
    if (event->name != NULL) { *hash = golden_hash(*hash, event->name, strlen(event->name)); }
}

uint64_t golden_pack_play(void) {
    pack p = pack_open(folder, NULL);
    uint64_t hash = GOLDEN_HASH_START;
    pack_start(&p, 7);
    static const char *const labels[] = {"wave", "doze", "wake", "nobody", "idle1"};
    for (uint32_t step = 0; step < 180; step++) {
        pack_go(&p, 100, hash_event, &hash);
        hash = golden_hash(hash, p.pose->slots, p.pose->slot_count * sizeof *p.pose->slots);
        if (step % 20 == 4 && step < 100) { zo_instance_trigger(p.instance, labels[step / 20], false); }
    }
    pack_close(&p);
    return hash;
}

// Two sentences, the second with a smile, a pause in each: events, frames, and where the shut mouth lies.
uint64_t golden_pack_speech(void) {
    pack p = pack_open(folder, NULL);
    uint64_t hash = GOLDEN_HASH_START;
    pack_start(&p, 3);
    const zo_view view = {.width = 1, .height = 1, .image_sizes = p.image_sizes, .image_count = p.image_count,
                          .cel_images = p.cel_images, .cel_count = zo_cel_count(p.program)};
    for (uint32_t step = 0; step < 160; step++) {
        if (step == 10 || step == 70) { zo_instance_speaking(p.instance, true); }
        if (step == 45 || step == 110) { zo_instance_speaking(p.instance, false); }
        if (step == 80) { zo_instance_trigger(p.instance, "smile", false); }
        zo_instance_set_mouth(p.instance, step % 16 < 12 ? 0.125 * (step % 8) : 0.0);
        pack_go(&p, 100, hash_event, &hash);
        hash = golden_hash(hash, p.pose->slots, p.pose->slot_count * sizeof *p.pose->slots);
        zo_overlay told;
        for (uint32_t i = 0; zo_instance_overlay(p.instance, &view, i, &told); i++) {
            const double parts[] = {told.frame,     told.rest_frame, told.cel.id,  told.visible, told.place[0],
                                    told.place[1],  told.center[0],  told.center[1], told.half[0], told.half[1]};
            hash = golden_hash(hash, parts, sizeof parts);
        }
    }
    pack_close(&p);
    return hash;
}
