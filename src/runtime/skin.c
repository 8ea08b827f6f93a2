// Skins: the matrix by which bones take a vertex of a mesh from where it is at rest to where a pose has it. Called by
// draw and api. A pure function of program and pose.
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
