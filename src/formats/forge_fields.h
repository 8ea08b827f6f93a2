// Where each member of an object of Forge's files stands in its table. For the files that read them (forge_*.c) and the
// tables themselves (forge_fields.c).
#ifndef ZF_FORGE_FIELDS_H
#define ZF_FORGE_FIELDS_H

#include "formats/forge.h"

enum { FG_PARAMETERS, FG_CLIPS, FG_STATES, FG_TRANSITIONS, FG_START_STATE };              // machine
enum { FG_JOINTS, FG_ARMATURE_CLIPS };                                                     // armature
enum { FG_LOOP, FG_JOINT_CLIPS, FG_EVENTS };                                               // clip of an armature
enum { FG_VARIABLE, FG_TYPE, FG_INTERPOLATION, FG_SAMPLES };                               // its variables
enum { FD_ANIMATION, FD_MODEL, FD_CLIPS, FD_STATES, FD_TRANSITIONS };                      // draft machine
enum { FD_CHILD, FD_CLIP, FD_TIME, FD_TYPE, FD_FROM, FD_TO, FD_PROGRESS };                 // its clips
enum { FD_TRANSITION_TYPE, FD_TRANSITION_TIME };                                           // its transitions
enum { FD_RATE, FD_COUNT, FD_LENGTH, FD_START };                                           // parameters: timing
enum { FD_PARAMETER_TYPE, FD_WEIGHT, FD_OFFSET };                                          // linear
enum { FD_BEZIER_TYPE, FD_T_START, FD_T_END };                                             // bezier
enum { FD_CONTROL_TYPE, FD_NAME };                                                         // control
enum { FA_MODEL, FA_JOINTS, FA_CLIPS };                                                    // draft animation
enum { FA_JOINT_NAME, FA_WEIGHTS };
enum { FA_CLIP_NAME, FA_TRACKS, FA_LOOP };
enum { FA_JOINT, FA_PARAMETER, FA_TYPE, FA_INTERPOLATION, FA_TIMES, FA_SAMPLES };          // its tracks
enum { FM_PARENT, FM_AMBIENT_OCCLUSION, FM_TEXTURES, FM_ELEMENTS, FM_DISPLAY, FM_OVERRIDES, FM_GUI_LIGHT, FM_COMMENT,
       FM_CREDIT, FM_TEXTURE_SIZE, FM_GROUPS };                                            // block model
enum { FM_FROM, FM_TO, FM_ROTATION, FM_SHADE, FM_FACES, FM_NAME, FM_ELEMENT_COMMENT, FM_COLOR };
enum { FM_ORIGIN, FM_AXIS, FM_ANGLE, FM_RESCALE };
enum { FM_UV, FM_TEXTURE, FM_CULLFACE, FM_FACE_ROTATION, FM_TINT_INDEX };

extern const zf_object zf_fg_machine_object, zf_fg_armature_object, zf_fg_armature_clip_object, zf_fg_variable_object,
    zf_fg_draft_machine_object, zf_fg_draft_clip_object, zf_fg_draft_transition_object, zf_fg_timing_object,
    zf_fg_linear_object, zf_fg_bezier_object, zf_fg_control_object, zf_fg_animation_object, zf_fg_draft_joint_object,
    zf_fg_animation_clip_object, zf_fg_track_object, zf_fg_model_object, zf_fg_element_object,
    zf_fg_rotation_object, zf_fg_face_object;

extern const zf_name zf_fg_variables[ZF_FG_VARIABLE_COUNT];
// What the draft's tracks move: short words, which are the variables in their order up to scale_z, then the finished
// names of those that are called otherwise. The document has y alone.
enum { ZF_FG_SHORT_COUNT = ZF_FG_ORIGIN_X, ZF_FG_PARAMETER_COUNT = ZF_FG_SHORT_COUNT + 12 };
extern const zf_name zf_fg_parameters[ZF_FG_PARAMETER_COUNT];
// ZF_FG_VARIABLE_COUNT: it is none of them.
static inline uint32_t zf_fg_parameter_variable(uint32_t word) {
    const uint32_t scale_x = ZF_FG_SHORT_COUNT + ZF_FG_ANGLE; // behind offsets and axes, without angle and scale
    if (word < ZF_FG_SHORT_COUNT) {
        return word;
    }
    return word < scale_x ? word - ZF_FG_SHORT_COUNT : word - scale_x + ZF_FG_SCALE_X;
}
extern const zf_name zf_fg_interpolations[ZF_FG_INTERPOLATION_COUNT];
extern const zf_name zf_fg_sides[ZF_FG_SIDE_COUNT];
extern const zf_name zf_fg_axes[ZF_FG_AXIS_COUNT];

#endif
