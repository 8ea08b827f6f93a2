// What is to be seen of a rig and its clips: the view that the rig states, else all that bones and pictures reach over
// the clips, and some air. Called by enemy_compile.c. A framing, not part of what is played: it looks at poses here and
// there.
#include <math.h>

#include "base/maths.h"
#include "formats/enemy_pack.h"

enum { POSES_MAX = 64 };         // of one clip
#define WORK_MAX 2e6             // values and bones, over all clips
#define FAR 1e6                  // units
#define AIR 0.12                 // of the larger side, on each side
#define LEAST 1.0                // units

typedef struct place {           // x' = xx x + xy y + x0, y' alike
    double xx, xy, x0, yx, yy, y0;
} place;

typedef struct box {
    double left, top, right, bottom;
    bool any;
} box;

typedef struct looker {
    const zf_en_pack *pack;
    double (*values)[ZF_EN_BONE_PROPERTY_COUNT]; // by bone
    place *places;                               // by bone
    box seen;
} looker;

static void reach(box *seen, double x, double y) {
    if (!(fabs(x) <= FAR && fabs(y) <= FAR)) {
        return;
    }
    if (!seen->any) {
        *seen = (box){x, y, x, y, true};
    }
    seen->left = x < seen->left ? x : seen->left;
    seen->right = x > seen->right ? x : seen->right;
    seen->bottom = y < seen->bottom ? y : seen->bottom;
    seen->top = y > seen->top ? y : seen->top;
}

static place below(const place *parent, const double v[ZF_EN_BONE_PROPERTY_COUNT]) {
    double sine, cosine;
    zb_sincos_degrees(v[ZF_EN_ROTATION_Z], &sine, &cosine);
    const double a = cosine * v[ZF_EN_SCALE_X], b = 0.0 - sine * v[ZF_EN_SCALE_Y];
    const double c = sine * v[ZF_EN_SCALE_X], d = cosine * v[ZF_EN_SCALE_Y];
    const double x = v[ZF_EN_POSITION_X], y = v[ZF_EN_POSITION_Y];
    return (place){parent->xx * a + parent->xy * c, parent->xx * b + parent->xy * d,
                   parent->xx * x + parent->xy * y + parent->x0, parent->yx * a + parent->yy * c,
                   parent->yx * b + parent->yy * d, parent->yx * x + parent->yy * y + parent->y0};
}

// Width and height of its picture in units; false: not known.
static bool size_of(const zf_en_pack *pack, const zf_en_sprite *sprite, double size[2]) {
    uint32_t px[2] = {0, 0};
    const zf_en_region *region = sprite->region.size > 0 ? zf_en_region_find(pack, sprite->region) : NULL;
    if (region != NULL) {
        px[0] = (uint32_t)region->full_width;
        px[1] = (uint32_t)region->full_height;
    } else if (sprite->image.size == 0 || !zf_en_picture_size(pack, sprite->image, px)) {
        return false;
    }
    size[0] = px[0] / sprite->pixels_per_unit;
    size[1] = px[1] / sprite->pixels_per_unit;
    return true;
}

static void look_at_pose(looker *l) {
    static const place root = {.xx = 1.0, .yy = 1.0};
    const zf_en_rig *rig = &l->pack->rig;
    for (uint32_t b = 0; b < rig->bone_count; b++) {
        const uint32_t parent_ref = rig->bones[b].parent_ref;
        l->places[b] = below(parent_ref != 0 ? &l->places[parent_ref - 1] : &root, l->values[b]);
        reach(&l->seen, l->places[b].x0, l->places[b].y0);
    }
    for (uint32_t s = 0; s < rig->sprite_count; s++) {
        const zf_en_sprite *sprite = &rig->sprites[s];
        const place *p = &l->places[sprite->bone];
        double size[2];
        for (uint32_t corner = 0; corner < 4 && size_of(l->pack, sprite, size); corner++) {
            const double u = (double)(corner & 1) - sprite->pivot[0], v = (double)(corner >> 1) - sprite->pivot[1];
            const double x = u * size[0] * (sprite->flip_x ? -1.0 : 1.0);
            const double y = v * size[1] * (sprite->flip_y ? -1.0 : 1.0);
            reach(&l->seen, p->xx * x + p->xy * y + p->x0, p->yx * x + p->yy * y + p->y0);
        }
    }
}

static void fill_rest(const looker *l) {
    for (uint32_t b = 0; b < l->pack->rig.bone_count; b++) {
        const zf_en_bone *bone = &l->pack->rig.bones[b];
        double *v = l->values[b];
        v[ZF_EN_POSITION_X] = bone->x;
        v[ZF_EN_POSITION_Y] = bone->y;
        v[ZF_EN_ROTATION_Z] = bone->rotation;
        v[ZF_EN_SCALE_X] = bone->scale_x;
        v[ZF_EN_SCALE_Y] = bone->scale_y;
    }
}

static void fill_values(const looker *l, const zf_en_clip *clip, double time) {
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const zf_en_track *track = &clip->tracks[i];
        const zo_text name = {track->target.data + 5, track->target.size - 5};
        const uint32_t ref = track->sprite || !zf_en_acts(track) ? 0 : zf_en_bone_ref(&l->pack->rig, name);
        if (ref != 0) {
            l->values[ref - 1][track->property] = zf_en_value_at(&track->keys, time, false);
        }
    }
}

static void look_at_clip(looker *l, const zf_en_clip *clip, double work) {
    const double one = clip->track_count + 4.0 * l->pack->rig.bone_count + 1.0;
    const double wanted = clip->duration_s * 30.0 + 2.0, most = work / one;
    const double count = floor(zb_clamp(wanted < most ? wanted : most, 2.0, POSES_MAX));
    for (double i = 0.0; i < count; i += 1.0) {
        fill_rest(l);
        fill_values(l, clip, clip->duration_s * i / (count - 1.0));
        look_at_pose(l);
    }
}

void zf_en_stage(const zf_en_pack *pack, double stage[4]) {
    const zf_en_rig *rig = &pack->rig;
    if (rig->has_view) {
        memcpy(stage, rig->view, sizeof rig->view);
        return;
    }
    looker l = {.pack = pack};
    l.values = zb_arena_take_array(pack->arena, (size_t)rig->bone_count + 1, sizeof *l.values);
    l.places = zb_arena_take_array(pack->arena, (size_t)rig->bone_count + 1, sizeof *l.places);
    if (l.values != NULL && l.places != NULL) {
        fill_rest(&l);
        look_at_pose(&l);
        for (uint32_t i = 0; i < pack->clip_count; i++) {
            look_at_clip(&l, &pack->clips[i], WORK_MAX / pack->clip_count);
        }
    }
    const double width = l.seen.right - l.seen.left, height = l.seen.top - l.seen.bottom;
    const double larger = width > height ? width : height;
    const double air = larger > LEAST ? larger * AIR : (LEAST - larger) / 2.0 + LEAST * AIR;
    stage[0] = l.seen.left - air;
    stage[1] = l.seen.top + air;
    stage[2] = l.seen.right + air;
    stage[3] = l.seen.bottom - air;
}
