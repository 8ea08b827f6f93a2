// Noise: the same pattern everywhere, smooth between the points of a lattice. Called by particles.c. A pure function.
#include <math.h>

#include "runtime/particles.h"

double zr_lattice(int64_t x, int64_t y, int64_t z, uint32_t seed) {
    uint32_t h = (uint32_t)x * 0x8DA6B343u ^ (uint32_t)y * 0xD8163841u ^ (uint32_t)z * 0xCB1AB31Fu ^ seed * 0x9E3779B9u;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    h *= 0x297A2D39u;
    h ^= h >> 15;
    return (double)h / 2147483648.0 - 1.0;
}

static double fade(double t) { return t * t * t * (t * (t * 6.0 - 15.0) + 10.0); }
static double mix(double a, double b, double t) { return a + (b - a) * t; }

// Far out there is no fraction left; what is not a number is at 0.
static double sane(double at) { return at > -1e15 && at < 1e15 ? at : 0.0; }

double zr_noise(double x, double y, double z, uint32_t seed) {
    x = sane(x);
    y = sane(y);
    z = sane(z);
    const double fx = floor(x), fy = floor(y), fz = floor(z);
    const int64_t ix = (int64_t)fx, iy = (int64_t)fy, iz = (int64_t)fz;
    const double u = fade(x - fx), v = fade(y - fy), w = fade(z - fz);
    double plane[2];
    for (int64_t k = 0; k < 2; ++k) {
        if (k == 1 && w == 0.0) { return plane[0]; }
        const double low = mix(zr_lattice(ix, iy, iz + k, seed), zr_lattice(ix + 1, iy, iz + k, seed), u);
        if (v == 0.0) {
            plane[k] = low;
            continue;
        }
        const double high = mix(zr_lattice(ix, iy + 1, iz + k, seed), zr_lattice(ix + 1, iy + 1, iz + k, seed), u);
        plane[k] = mix(low, high, v);
    }
    return mix(plane[0], plane[1], w);
}

double zr_fractal(const zp_emitter *emitter, const double at[3], uint32_t seed) {
    double sum = 0.0, all = 0.0, weight = 1.0, scale = 1.0;
    for (uint32_t k = 0; k < emitter->noise_octaves; ++k) {
        sum += weight * zr_noise(at[0] * scale, at[1] * scale, at[2] * scale, seed + k);
        all += weight;
        weight *= emitter->noise_gain;
        scale *= emitter->noise_lacunarity;
    }
    return sum / all;
}
