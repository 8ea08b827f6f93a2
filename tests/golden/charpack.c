// Golden scenes of the example in examples/charpack: as it begins, waving, asleep; and eighteen seconds of it, half of
// them by chance, as numbers.
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
