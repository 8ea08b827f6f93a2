// Plays any animation, and asks for one of its states after the other: play_anything FILE [FILE THAT IT NEEDS]...
#include <stdio.h>
#include <stdlib.h>
#include <zoetrope/zoetrope.h>

static bool write_to(void *stream, const void *bytes, size_t size) { return fwrite(bytes, 1, size, stream) == size; }

int main(int count, char **names) {
    enum { FILES_MAX = 32, BYTES_MAX = 1 << 20 };
    static char bytes[FILES_MAX][BYTES_MAX];
    zo_source sources[FILES_MAX];
    if (count < 2 || count > FILES_MAX + 1) { return fprintf(stderr, "one file wanted, or up to %d\n", FILES_MAX), 2; }
    for (int i = 0; i < count - 1; i++) {
        FILE *file = fopen(names[i + 1], "rb");
        if (file == NULL) { return perror(names[i + 1]), 3; }
        sources[i] = (zo_source){.name = names[i + 1], .bytes = bytes[i], .size = fread(bytes[i], 1, BYTES_MAX, file)};
        if (!feof(file)) { return fprintf(stderr, "%s cannot be read, or is too large\n", names[i + 1]), 3; }
        fclose(file);
    }
    zo_program *program = NULL;
    zo_report *report = NULL;
    const zo_status status = zo_compile(sources, (uint32_t)count - 1, NULL, &program, &report);
    if (report != NULL) { zo_report_write(report, ZO_REPORT_HUMAN, false, write_to, stderr); } // each fault at its place
    zo_instance *instance = status == ZO_OK ? zo_instance_create(program, NULL, NULL) : NULL;
    zo_pose *pose = instance != NULL ? zo_pose_create(program, NULL) : NULL;
    for (uint32_t frame = 0; pose != NULL && frame < 200; frame++) { // twenty a second
        zo_state_info state;
        if (frame % 30 == 20 && zo_state_get(program, (zo_state){frame / 30 + 1}, &state)) {
            printf("%s: %s\n", state.name, zo_instance_request(instance, state.name) ? "yes" : "no way leads there");
        }
        zo_step step = {.left_ns = 50000000};
        do { // at once, unless more happens than the array holds
            zo_event events[16];
            step = zo_instance_advance(instance, step.left_ns, events, 16);
            for (uint32_t i = 0; i < step.count; i++) { printf("%g s %s\n", (double)events[i].t_ns / 1e9, events[i].name); }
        } while (step.more || step.left_ns > 0);
        zo_instance_sample(instance, pose); // where everything is now; here, the first thing that is not at rest
        for (uint32_t t = 0; t < pose->target_count; t++) {
            const double *m = pose->transforms[t].m;
            if (!pose->at_rest[t]) { printf("y = %.3fx + %.3fy + %.3fz + %.3f\n", m[4], m[5], m[6], m[7]); break; }
        }
    }
    zo_pose_free(pose), zo_instance_free(instance), zo_report_free(report), zo_program_free(program);
    return pose != NULL ? 0 : 1;
}
