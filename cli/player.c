// See player.h.
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "player.h"

static bool reserve_list(cli_player *player) {
    const zo_draw_bound bound = zo_draw_bounds(player->def.program);
    zo_draw_list *list = &player->list;
    list->vertices = calloc((size_t)bound.vertices + 1, sizeof *list->vertices);
    list->indices = calloc((size_t)bound.indices + 1, sizeof *list->indices);
    list->commands = calloc((size_t)bound.commands + 1, sizeof *list->commands);
    list->vertex_capacity = bound.vertices;
    list->index_capacity = bound.indices;
    list->command_capacity = bound.commands;
    return list->vertices != NULL && list->indices != NULL && list->commands != NULL;
}

static bool start(cli_player *player) {
    const zo_instance_def def = {
        .seed = player->def.seed, .reduced_motion = player->def.reduced_motion, .idle = player->def.clip.id != 0};
    zo_instance_free(player->instance);
    player->instance = zo_instance_create(player->def.program, &def, NULL);
    if (player->instance == NULL) { return false; }
    if (player->def.show.id != 0) { zo_instance_show(player->instance, player->def.show); }
    player->last_image = 0;
    player->step = 0;
    player->step_ns = 0;
    const cli_pictures *pictures = player->def.pictures;
    if (zo_state_count(player->def.program) > 0) {
        for (uint32_t c = 1; pictures->given && c <= pictures->cel_count; c++) {
            zo_instance_set_cel(player->instance, (zo_cel){c}, pictures->cel_images[c - 1] != 0);
        }
    }
    if (player->def.clip.id == 0) { return player->started = true; }
    player->started = zo_instance_start(player->instance, player->def.clip, &player->def.run).id != 0;
    return player->started;
}

bool cli_player_open(cli_player *player, const cli_player_def *def) {
    *player = (cli_player){.def = *def};
    player->pose = zo_pose_create(def->program, NULL);
    player->cel_images = calloc((size_t)def->pictures->cel_count + 1, sizeof *player->cel_images);
    return player->pose != NULL && player->cel_images != NULL && reserve_list(player) && start(player);
}

void cli_player_close(cli_player *player) {
    zo_instance_free(player->instance);
    zo_pose_free(player->pose);
    free(player->list.vertices);
    free(player->list.indices);
    free(player->list.commands);
    free(player->cel_images);
    *player = (cli_player){0};
}

// A swap to a picture that is not there changes nothing: such a cel shows what was shown before it, or the first picture
// that there is.
static void note_shown(cli_player *player) {
    const cli_pictures *pictures = player->def.pictures;
    if (pictures->apart) { return; }
    const zo_cel cel = zo_instance_shown(player->instance);
    const uint32_t image = cel.id != 0 ? pictures->cel_images[cel.id - 1] : 0;
    if (image != 0) { player->last_image = image; }
    for (uint32_t c = 0; c < pictures->cel_count && player->last_image == 0; c++) {
        player->last_image = pictures->cel_images[c];
    }
}

static void move_to(cli_player *player, int64_t t_ns) {
    note_shown(player);
    zo_step step = {.left_ns = t_ns - zo_instance_now_ns(player->instance)};
    do {
        zo_event events[16];
        step = zo_instance_advance(player->instance, step.left_ns, events, 16);
        for (uint32_t e = 0; e < step.count && player->def.on_event != NULL; e++) {
            player->def.on_event(player->def.context, &events[e]);
        }
        note_shown(player);
    } while (step.more || step.left_ns > 0);
}

// With the script's steps on the way, those at `t_ns` too.
static void play_to(cli_player *player, int64_t t_ns) {
    const cli_script *script = player->def.script;
    for (; script != NULL && player->step < script->count && player->step_ns <= t_ns; player->step++) {
        const cli_step *step = &script->steps[player->step];
        if (step->kind == CLI_STEP_ADVANCE) {
            player->step_ns += step->ns;
            continue;
        }
        move_to(player, player->step_ns);
        cli_step_apply(script, step, player->instance);
        move_to(player, player->step_ns);
    }
    move_to(player, t_ns);
}

static bool want_pictures(cli_player *player) {
    bool fine = true;
    for (uint32_t i = 0; i < player->list.command_count && fine; i++) {
        const uint32_t image = player->list.commands[i].image;
        fine = image == 0 || cli_pictures_want(player->def.pictures, image);
    }
    return fine;
}

bool cli_player_draw(cli_player *player, int64_t t_ns, zo_image *image) {
    if (t_ns < zo_instance_now_ns(player->instance) && !start(player)) { return false; }
    play_to(player, t_ns);
    const cli_pictures *pictures = player->def.pictures;
    for (uint32_t c = 0; c < pictures->cel_count; c++) {
        player->cel_images[c] = pictures->cel_images[c] != 0 ? pictures->cel_images[c] : player->last_image;
    }
    double stage[4];
    zo_program_stage(player->def.program, stage);
    const zo_view view = {
        .width = image->width,
        .height = image->height,
        .pixels_per_unit = player->def.pixels_per_unit,
        .center_x = (stage[0] + stage[2]) / 2,
        .center_y = (stage[1] + stage[3]) / 2,
        .image_sizes = pictures->sizes,
        .image_count = pictures->count,
        .cel_images = player->cel_images,
        .cel_count = pictures->cel_count,
        .filter = player->def.nearest ? ZO_FILTER_NEAREST : ZO_FILTER_BILINEAR,
    };
    zo_instance_sample(player->instance, player->pose);
    zo_instance_draw(player->instance, player->pose, &view, &player->list);
    if (!want_pictures(player)) { return false; }
    zo_image_fill(image, player->def.background);
    cli_figure_draw(player->def.program, pictures, player->pose, player->def.pixels_per_unit, image);
    zo_raster(&player->list, pictures->images, pictures->count, image);
    zo_image_unpremultiply(image);
    return true;
}
