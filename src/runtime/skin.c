// Skins: the matrix by which bones take a vertex of a mesh from where it is at rest to where a pose has it, and how far
// vertices come that way. Called by draw and api. A pure function of program and pose.
#include <math.h>

#include "base/maths.h"
#include "runtime/runtime.h"

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static bool is_identity(const double m[12]) {
    bool same = true;
    for (uint32_t i = 0; i < 12; i++) { same = same && m[i] == identity[i]; }
    return same;
}

static void bone_matrix(const zo_pose *pose, const zp_bone *bone, double m[12]) {
    const double *target = pose->transforms[bone->target].m;
    if (bone->flags & ZP_BONE_FROM_REST) {
        zb_affine_multiply(m, target, bone->inverse);
    } else {
        memcpy(m, target, 12 * sizeof *m);
    }
}

void zr_skin(const zp_program *program, const zo_pose *pose, const zp_mesh *mesh, const zp_vertex *vertex,
             double m[12]) {
    double sum[12] = {0}, sum_of_weights = 0;
    for (uint32_t i = 0; i < vertex->weight_count; i++) {
        const zp_weight *weight = &program->weights[vertex->first_weight + i];
        double own[12];
        bone_matrix(pose, &program->bones[weight->bone], own);
        if (mesh->flags & ZP_MESH_REST_LEFT_OUT && is_identity(own)) { continue; }
        const double share = (double)weight->weight;
        sum_of_weights += share;
        for (uint32_t k = 0; k < 12; k++) {
            sum[k] += share * (mesh->rule == ZP_SKIN_DISPLACE ? own[k] - identity[k] : own[k]);
        }
    }
    if (mesh->rule == ZP_SKIN_DISPLACE) {
        const double most = sum_of_weights > 1 ? sum_of_weights : 1;
        for (uint32_t k = 0; k < 12; k++) { m[k] = identity[k] + sum[k] / most; }
        return;
    }
    const bool moves = sum_of_weights > mesh->least;
    for (uint32_t k = 0; k < 12; k++) { m[k] = moves ? sum[k] / sum_of_weights : identity[k]; }
}

// ---------------------------------------------------------------------------------------------------- how far it goes

enum { TIMES = 16, LOOKS_MAX = 1 << 22 }; // of a clip; what is looked at: vertices, and what moves them

static void take_in(double box[6], const double at[3]) {
    for (uint32_t c = 0; c < 3; c++) {
        if (!(fabs(at[c]) <= ZP_MESH_FAR)) { continue; } // nothing that far is worth being seen, nor what is no number
        box[c] = at[c] < box[c] ? at[c] : box[c];
        box[3 + c] = at[c] > box[3 + c] ? at[c] : box[3 + c];
    }
}

static void take_in_pose(const zp_program *program, const zo_pose *pose, double box[6]) {
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_MESHES); i++) {
        const zp_mesh *mesh = &program->meshes[i];
        double m[12];
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const zp_vertex *vertex = &program->vertices[mesh->first_vertex + v];
            const bool same = v > 0 && vertex->first_weight == vertex[-1].first_weight &&
                              vertex->weight_count == vertex[-1].weight_count;
            if (!same) { zr_skin(program, pose, mesh, vertex, m); }
            const float *rest = vertex->position;
            double at[3];
            zb_affine_apply(m, (double)rest[0], (double)rest[1], (double)rest[2], at);
            take_in(box, at);
        }
    }
}

bool zr_program_box(const zp_program *program, zo_pose *pose, double box[6]) {
    const uint32_t vertex_count = zp_count(program, ZP_SECTION_VERTICES);
    if (vertex_count == 0) { return false; }
    for (uint32_t c = 0; c < 3; c++) {
        box[c] = HUGE_VAL;
        box[3 + c] = -HUGE_VAL;
    }
    for (uint32_t i = 0; i < pose->slot_count; i++) { pose->slots[i] = program->channels[i].rest; }
    zr_pose_transforms(program, pose);
    take_in_pose(program, pose, box);
    const uint64_t cost = (uint64_t)vertex_count + pose->target_count + pose->slot_count;
    uint64_t looks = LOOKS_MAX;
    for (uint32_t clip = 0; clip < zp_count(program, ZP_SECTION_CLIPS); clip++) {
        const double length = zp_clip_length(&program->clips[clip]);
        for (uint32_t i = 0; i <= TIMES && looks >= cost; i++, looks -= cost) {
            zr_clip_sample(program, clip, length * i / TIMES, NULL, pose);
            take_in_pose(program, pose, box);
        }
    }
    return box[0] <= box[3] && box[1] <= box[4] && box[2] <= box[5];
}
