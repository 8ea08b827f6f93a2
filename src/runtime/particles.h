// What moves step by step: the inside of effects with emitters. Numbers and colours by chance and time (minmax.c),
// noise (noise.c), where an emitter stands (emitter.c), the table of particles (particles.c) and when what happens
// (emission.c). Used by effect.c and instance.c. Times called local count from their effect's start.
#ifndef ZR_PARTICLES_H
#define ZR_PARTICLES_H

#include "runtime/runtime.h"

enum { ZR_LANES = ZR_BATCH_LANES };

// What a particle draws by chance, and what the start of an effect draws (particle numbers that no particle has).
enum {
    ZR_DRAW_LIFE = 0, ZR_DRAW_SPEED = 1, ZR_DRAW_SIZE = 2, ZR_DRAW_GRAVITY = 3, ZR_DRAW_COLOUR = 4,
    ZR_DRAW_PLACE = 5, // three
    ZR_DRAW_SHEET_START = 8, ZR_DRAW_ROW = 9, ZR_DRAW_FRAME = 10,
    ZR_DRAW_SIZE_OVER = 11, // three of each
    ZR_DRAW_VELOCITY = 14, ZR_DRAW_SPIN = 17, ZR_DRAW_OVER = 20, ZR_DRAW_NOISE = 21, ZR_DRAW_SCROLL = 24,
};
#define ZR_START_RATE UINT32_MAX             // n: loop
#define ZR_START_WAY (UINT32_MAX - 1)        // n: loop
#define ZR_START_BURSTS (UINT32_MAX - 2)     // n: draws so far
#define ZR_START_NOISE (UINT32_MAX - 3)      // n: 0
double zr_draw(const zo_instance *instance, uint32_t serial, uint32_t particle, uint64_t n); // 0..1, emission.c
uint32_t zr_noise_seed(const zo_instance *instance, uint32_t serial);

// ---------------------------------------------------------------------------------------------------- minmax.c

// One at a time, in double: what decides when something is born, and what it is born with. Reference 0: 0, and white.
double zr_minmax_at(const zp_program *program, uint32_t ref, double t, double r);
void zr_gradient_at(const zp_program *program, uint32_t ref, double t, double r, double colour[4]);

// A whole batch, in float; r: [ZR_LANES]. The reference is not 0.
typedef struct zr_times {
    float t[ZR_LANES];
    float least, most; // of them
} zr_times;
void zr_times_bound(zr_times *times); // finds least and most
void zr_minmax_lanes(const zp_program *program, uint32_t ref, const zr_times *times, const float *r, float *out);
void zr_gradient_lanes(const zp_program *program, uint32_t ref, const zr_times *times, const float *r,
                       float out[4][ZR_LANES]);

// ---------------------------------------------------------------------------------------------------- noise.c

double zr_lattice(int64_t x, int64_t y, int64_t z, uint32_t seed); // -1..1, integers modulo 2^32
double zr_noise(double x, double y, double z, uint32_t seed);
// Octaves of it. `dimensions`: what lies beyond them is 0.
double zr_fractal(const zp_emitter *emitter, const double at[3], uint32_t seed);

// ---------------------------------------------------------------------------------------------------- emitter.c

// Where an emitter stands in the program's space: its origin, and the turn of its target.
typedef struct zr_stand {
    double origin[3];
    double cosine, sine;
    double degrees;        // from x towards y
} zr_stand;
zr_stand zr_stand_now(const zo_instance *instance, const zr_effect *live);
void zr_stand_turn(const zr_stand *stand, const zp_emitter *emitter, double turn[9]); // rows: the target's, after its
                                                                                      // own

// Place and direction of a birth in the emitter's own axes; u: three numbers 0..1.
void zr_birthplace(const zp_emitter *emitter, const double u[3], double place[3], double direction[3]);

// ---------------------------------------------------------------------------------------------------- particles.c

typedef struct zr_birth {
    int64_t at_ns;         // local
    int64_t now_ns;        // the same, or later: found afterwards
    double t;              // time in the loop, 0..1
    const zr_stand *stand; // where it was; not needed with ZP_EMITTER_LOCAL
} zr_birth;
void zr_particle_bear(zo_instance *instance, uint32_t index, const zr_birth *birth); // takes the next number, whatever
                                                                                     // comes
bool zr_is_full(zo_instance *instance, uint32_t index, int64_t now_ns); // by the emitter's own limit; local
// local: a tick, the one before
void zr_particles_step(zo_instance *instance, uint32_t index, int64_t now_ns, int64_t last_ns);
void zr_particles_free(zo_instance *instance, uint32_t index); // all of this effect
int64_t zr_particles_last_ns(const zo_instance *instance, uint32_t index); // local: when its last one dies; 0: none is
                                                                           // left
uint32_t zr_particles_alive(const zo_instance *instance, uint32_t index);
uint32_t zr_paths_alive(const zo_instance *instance); // effect.c

// What a step of one effect needs, the same for all its batches.
typedef struct zr_step {
    const zp_program *program;
    const zp_emitter *emitter;
    int64_t now_ns, last_ns; // local; the last tick
    float pull[3];           // units a second squared at gravity 1, in the axes of the simulation
    float turn[9];           // of velocity over life, before the turn of birth: rows
    bool at_birth;           // that turn applies
    uint32_t noise_seed;
} zr_step;

// What a batch looks like now, in the program's space; and what is the same for all batches of its effect.
typedef struct zr_shown {
    float x[ZR_LANES], y[ZR_LANES], z[ZR_LANES], vx[ZR_LANES], vy[ZR_LANES], vz[ZR_LANES]; // velocity without noise
    float width[ZR_LANES], height[ZR_LANES], spin[ZR_LANES], colour[4][ZR_LANES];
    uint32_t frame[ZR_LANES];
} zr_shown;
typedef struct zr_looked {
    zr_stand stand;
    zr_step step;
    zr_shown shown;
} zr_looked;
void zr_particles_view(const zo_instance *instance, uint32_t index, zr_looked *looked); // first, for an effect
// lanes alive
uint32_t zr_particles_look(const zo_instance *instance, uint32_t index, uint32_t batch, zr_looked *looked);

// ---------------------------------------------------------------------------------------------------- emission.c

void zr_emission_start(zo_instance *instance, uint32_t index, uint32_t run);
int64_t zr_tick_ns(uint64_t tick); // local
int64_t zr_duration_ns(double seconds); // at least 1

// The next burst of an emitter after the one that `at` says (burst UINT32_MAX: from the loop's start). false: none in
// this loop. Its time: local to the loop.
typedef struct zr_burst_moment {
    int64_t at_ns;
    uint32_t burst, cycle;
} zr_burst_moment;
bool zr_burst_next(const zp_program *program, const zp_emitter *emitter, zr_burst_moment *at);
uint32_t zr_burst_count(const zp_burst *burst, double u);

bool zr_point_alive(const zo_instance *instance, const zr_effect *live, const zr_point *point);
void zr_emission_carry(zo_instance *instance, uint32_t index, const zo_instance *old, uint32_t from); // after a reload
void zr_particles_carry(zo_instance *instance, uint32_t index, const zo_instance *old, uint32_t from);

#endif
