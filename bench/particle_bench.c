// particle_bench FILE: how long a clip whose effects hold a steady crowd of particles takes for a frame of 1/60 s: to step
// them (zo_instance_advance) and to see them all besides (zo_instance_particles). Beside it bench/quarks/step.mjs does the
// same work of the same file in three.quarks. Prints nanoseconds a particle and frame, `step_ns` and `frame_ns`, once a
// round; then how many were alive, the bytes of the instance, and means of what is seen, which the two have to agree on.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <zoetrope/zoetrope.h>

enum {
    BYTES_MAX = 1 << 20, CAPACITY = 101000, // a little more than are alive on average: their number sways by some hundreds
    FRAMES_BEFORE = 240, FRAMES = 60, ROUNDS = 5,
};
static const int64_t FRAME_NS = 16666667;
static char bytes[BYTES_MAX];
static zo_particle particles[CAPACITY];

static double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static zo_instance *make(const zo_program *program, size_t *size) {
    const zo_instance_def def = {.seed = 1, .particle_capacity = CAPACITY};
    *size = zo_instance_size(program, &def);
    zo_instance *instance = zo_instance_create(program, &def, NULL);
    zo_event event;
    for (int frame = 0; instance && frame < FRAMES_BEFORE; frame++) { zo_instance_advance(instance, FRAME_NS, &event, 1); }
    return instance;
}

static void print_means(uint32_t count) {
    double width = 0.0, alpha = 0.0, y = 0.0, turn = 0.0, age = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const zo_particle *p = &particles[i];
        width += p->width;
        alpha += p->rgba[3];
        y += p->y;
        turn += p->turn;
        age += (double)p->age_ns / (double)p->life_ns;
    }
    printf("mean_size %.5f\nmean_alpha %.5f\nmean_y %.5f\nmean_turn %.5f\nmean_age %.5f\n", width / count, alpha / count,
           y / count, turn / count, age / count);
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: particle_bench FILE\n");
        return 2;
    }
    const zo_source source = {.name = "particles.json", .bytes = bytes, .size = fread(bytes, 1, BYTES_MAX, file)};
    fclose(file);
    zo_program *program = NULL;
    size_t size = 0;
    zo_instance *instance = zo_compile(&source, 1, NULL, &program, NULL) == ZO_OK ? make(program, &size) : NULL;
    if (instance == NULL) {
        fprintf(stderr, "particle_bench: the file should be without fault\n");
        return 1;
    }
    uint32_t seen = 0, least = UINT32_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        double step_s = 0.0, look_s = 0.0;
        uint64_t count = 0;
        for (int frame = 0; frame < FRAMES; frame++) {
            zo_event event;
            const double start = cpu_s();
            zo_instance_advance(instance, FRAME_NS, &event, 1);
            const double stepped = cpu_s();
            seen = zo_instance_particles(instance, 0, particles, CAPACITY);
            look_s += cpu_s() - stepped;
            step_s += stepped - start;
            count += seen;
            if (seen < least) { least = seen; }
        }
        printf("step_ns %.3f ns\nframe_ns %.3f ns\n", step_s / (double)count * 1e9, (step_s + look_s) / (double)count * 1e9);
    }
    printf("alive %u particles\ndropped %llu particles\nsize %.3f MB\n", least,
           (unsigned long long)zo_instance_dropped(instance), (double)size * 1e-6);
    print_means(seen);
    zo_instance_free(instance);
    zo_program_free(program);
    return 0;
}
