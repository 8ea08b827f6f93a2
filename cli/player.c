// See player.h.
#include "player.h"

static bool start(cli_player *player) {
    const zo_instance_def def = {
        .seed = player->def.seed, .reduced_motion = player->def.reduced_motion, .idle = player->def.clip.id != 0,
        .host_polls = player->def.script != NULL && cli_script_polls(player->def.script)};
    zo_instance_free(player->instance);
    player->instance = zo_instance_create(player->def.program, &def, NULL);
    if (player->instance == NULL) { return false; }
    if (player->def.show.id != 0) { zo_instance_show(player->instance, player->def.show); }
    if (player->def.lines != NULL) { cli_lines_set(player->def.lines, player->instance); }
    player->scene.last_image = 0;
    player->step = 0;
    player->step_ns = 0;
    const cli_pictures *pictures = player->def.pictures;
    if (zo_state_count(player->def.program) > 0 && !cli_has_graph(player->def.program)) {
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
    if (!cli_scene_open(&player->scene, def->program, def->pictures)) { return false; }
    player->scene.space.camera = def->camera;
    return start(player);
}

void cli_player_close(cli_player *player) {
    zo_instance_free(player->instance);
    cli_scene_close(&player->scene);
    *player = (cli_player){0};
}

static void move_to(cli_player *player, int64_t t_ns) {
    cli_scene_note(&player->scene, player->instance);
    zo_step step = {.left_ns = t_ns - zo_instance_now_ns(player->instance)};
    do {
        zo_event events[16];
        step = zo_instance_advance(player->instance, step.left_ns, events, 16);
        for (uint32_t e = 0; e < step.count && player->def.on_event != NULL; e++) {
            player->def.on_event(player->def.context, &events[e]);
        }
        cli_scene_note(&player->scene, player->instance);
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

bool cli_player_draw(cli_player *player, int64_t t_ns, zo_image *image) {
    if (t_ns < zo_instance_now_ns(player->instance) && !start(player)) { return false; }
    play_to(player, t_ns);
    zo_image_fill(image, player->def.background);
    if (!cli_scene_draw(&player->scene, player->instance, player->def.pixels_per_unit, player->def.nearest, image)) {
        return false;
    }
    zo_image_unpremultiply(image);
    return true;
}
