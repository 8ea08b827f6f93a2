// The same with the library that only plays: the program comes stored, from sample.c.
#include <stdio.h>
#include <zoetrope/zoetrope.h>

int main(int argc, char **argv) {
    static unsigned char blob[1 << 20];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file) { return 1; }
    const size_t size = fread(blob, 1, sizeof blob, file);
    fclose(file);

    zo_program *program = NULL;
    if (zo_load(blob, size, NULL, &program) != ZO_OK) { return 1; }
    zo_instance *instance = zo_instance_create(program, &(zo_instance_def){.idle = true}, NULL);
    zo_pose *pose = zo_pose_create(program, NULL);
    if (!instance || !pose) { return 1; }
    zo_instance_start(instance, zo_clip_find(program, "user:hop"), NULL);
    zo_step step = {.left_ns = 250000000};
    do {
        zo_event events[4];
        step = zo_instance_advance(instance, step.left_ns, events, 4);
    } while (step.more || step.left_ns > 0);
    zo_instance_sample(instance, pose);
    printf("%s %g\n", zo_version(), pose->slots[zo_channel_find(program, "bounce.y").id - 1]);
    zo_pose_free(pose);
    zo_instance_free(instance);
    zo_program_free(program);
    return 0;
}
