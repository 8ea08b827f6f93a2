// What somebody who has installed Zoetrope writes first: JSON text in, a value out. Given a file name it also stores the
// program, for play.c.
#include <stdio.h>
#include <string.h>
#include <zoetrope/zoetrope.h>

static const char text[] = "{\n"
                           "  \"version\": 1, \"id\": \"user:hop\", \"name\": \"Hop\", \"kind\": \"interaction\",\n"
                           "  \"durationMs\": 1000, \"repeat\": { \"mode\": \"once\" },\n"
                           "  \"tracks\": [ { \"property\": \"bounce.y\", \"keyframes\": [\n"
                           "    { \"at\": 0, \"value\": 0 }, { \"at\": 0.5, \"value\": -24 }, { \"at\": 1, \"value\": 0 } ] } ]\n"
                           "}\n";

static bool to_stderr(void *context, const void *bytes, size_t size) {
    (void)context;
    return fwrite(bytes, 1, size, stderr) == size;
}

int main(int argc, char **argv) {
    const zo_source source = {.name = "hop.json", .bytes = text, .size = strlen(text)};
    const zo_compile_def def = {0};
    zo_program *program = NULL;
    zo_report *report = NULL;
    const zo_status status = zo_compile(&source, 1, &def, &program, &report);
    if (report) { zo_report_write(report, ZO_REPORT_HUMAN, false, to_stderr, NULL); }
    zo_report_free(report);
    if (status != ZO_OK) { return 1; }

    zo_pose *pose = zo_pose_create(program, NULL);
    if (!pose) { return 1; }
    zo_clip_sample(program, zo_clip_find(program, "user:hop"), 0.25, NULL, pose);
    printf("%s %g\n", zo_version(), pose->slots[zo_channel_find(program, "bounce.y").id - 1]);
    zo_pose_free(pose);

    int result = 0;
    if (argc > 1) {
        size_t size = 0;
        const void *blob = zo_program_blob(program, &size);
        FILE *file = fopen(argv[1], "wb");
        if (!file || fwrite(blob, 1, size, file) != size || fclose(file) != 0) { result = 1; }
    }
    zo_program_free(program);
    return result;
}
