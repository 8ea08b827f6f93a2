// Between two turns, and between two transforms. Called by curves and poses. A transform is taken apart into what
// moves, a turn U, a scale along three axes and a second turn V before it; each is blended for itself. Plain double:
// the same bits everywhere.
#include <math.h>

#include "base/maths.h"
#include "runtime/runtime.h"

typedef struct turn { double x, y, z, w; } turn; // a quaternion of length 1

static const turn none = {0.0, 0.0, 0.0, 1.0};
static const double SMALL = 1e-6;

static double lerp(double a, double b, double p) { return a + (b - a) * p; } // equal ends give themselves

static turn normalised(turn q) {
    const double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 0.0)) { return none; }
    return (turn){q.x / length, q.y / length, q.z / length, q.w / length};
}

// The short way: of the two quaternions of a turn the nearer one counts. Nearly equal ones would leave nothing to
// divide by.
static turn slerp(turn a, turn b, double p) {
    double dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    if (dot < 0.0) {
        b = (turn){-b.x, -b.y, -b.z, -b.w};
        dot = -dot;
    }
    if (1.0 - dot <= SMALL) {
        return normalised((turn){lerp(a.x, b.x, p), lerp(a.y, b.y, p), lerp(a.z, b.z, p), lerp(a.w, b.w, p)});
    }
    const double sine = sqrt(1.0 - dot * dot), angle = zb_atan2(sine, dot);
    const double from = zb_sin((1.0 - p) * angle) / sine, to = zb_sin(p * angle) / sine;
    return (turn){a.x * from + b.x * to, a.y * from + b.y * to, a.z * from + b.z * to, a.w * from + b.w * to};
}

void zr_slerp(const double a[4], const double b[4], double p, double out[4]) {
    const turn from = normalised((turn){a[0], a[1], a[2], a[3]}), to = normalised((turn){b[0], b[1], b[2], b[3]});
    const turn q = slerp(from, to, p);
    out[0] = q.x;
    out[1] = q.y;
    out[2] = q.z;
    out[3] = q.w;
}

// ---------------------------------------------------------------------------------------------------- 3 x 3

typedef double rows[3][3];

static void rows_of(turn q, rows m) {
    m[0][0] = 1.0 - 2.0 * (q.y * q.y + q.z * q.z);
    m[0][1] = 2.0 * (q.x * q.y - q.z * q.w);
    m[0][2] = 2.0 * (q.x * q.z + q.y * q.w);
    m[1][0] = 2.0 * (q.x * q.y + q.z * q.w);
    m[1][1] = 1.0 - 2.0 * (q.x * q.x + q.z * q.z);
    m[1][2] = 2.0 * (q.y * q.z - q.x * q.w);
    m[2][0] = 2.0 * (q.x * q.z - q.y * q.w);
    m[2][1] = 2.0 * (q.y * q.z + q.x * q.w);
    m[2][2] = 1.0 - 2.0 * (q.x * q.x + q.y * q.y);
}

void zr_turn_rows(const double q[4], double m[9]) {
    rows r;
    rows_of(normalised((turn){q[0], q[1], q[2], q[3]}), r);
    memcpy(m, r, sizeof r);
}

static turn product(turn a, turn b) { // a after b
    return (turn){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// A turn in the plane of the axes i and j, from i towards j, by the sine and cosine of half of it.
static turn plane_turn(uint32_t i, uint32_t j, double half_sine, double half_cosine) {
    if (i == 0 && j == 1) { return (turn){0.0, 0.0, half_sine, half_cosine}; }
    if (i == 0) { return (turn){0.0, -half_sine, 0.0, half_cosine}; } // z towards x is about y
    return (turn){half_sine, 0.0, 0.0, half_cosine};
}

// The same turn of m's rows i and j, backwards: what comes from i towards j goes back to i.
static void turn_rows_back(rows m, uint32_t i, uint32_t j, double sine, double cosine) {
    for (uint32_t c = 0; c < 3; ++c) {
        const double at_i = m[i][c], at_j = m[j][c];
        m[i][c] = cosine * at_i + sine * at_j;
        m[j][c] = cosine * at_j - sine * at_i;
    }
}

static void turn_columns(rows m, uint32_t i, uint32_t j, double sine, double cosine) {
    for (uint32_t r = 0; r < 3; ++r) {
        const double at_i = m[r][i], at_j = m[r][j];
        m[r][i] = cosine * at_i + sine * at_j;
        m[r][j] = cosine * at_j - sine * at_i;
    }
}

// ---------------------------------------------------------------------------------------------------- taking apart

typedef struct parts {
    turn u, v;       // the linear part is U diag(scale) V
    double scale[3];
} parts;

static const uint32_t pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};

static void square_of(rows m, rows s) { // its transpose times itself
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) { s[i][j] = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j]; }
    }
}

// One turn by at most 45 degrees that makes the symmetric s vanish at (i, j).
static void jacobi(rows s, uint32_t i, uint32_t j, turn *q) {
    const double off = s[i][j];
    if (!(fabs(off) > 1e-300)) { return; } // also where it is no number
    const double tau = (s[i][i] - s[j][j]) / (2.0 * off);
    const double tangent = (tau >= 0.0 ? 1.0 : -1.0) / (fabs(tau) + sqrt(1.0 + tau * tau));
    const double cosine = 1.0 / sqrt(1.0 + tangent * tangent), sine = tangent * cosine;
    turn_rows_back(s, i, j, sine, cosine);
    turn_columns(s, i, j, sine, cosine);
    const double half_cosine = sqrt(0.5 * (1.0 + cosine));
    *q = product(*q, plane_turn(i, j, sine / (2.0 * half_cosine), half_cosine));
}

// The second turn: five sweeps make the square diagonal. Where it is nearly that already, as after a turn and a scale
// along the axes, there is none.
static turn second_turn(rows m) {
    rows s;
    square_of(m, s);
    turn q = none;
    bool sheared = false;
    for (uint32_t p = 0; p < 3; ++p) {
        const double off = s[pairs[p][0]][pairs[p][1]];
        sheared |= 2.0 * off * off > SMALL; // with the entry across
    }
    if (!sheared) { return q; }
    for (uint32_t sweep = 0; sweep < 5; ++sweep) {
        for (uint32_t p = 0; p < 3; ++p) { jacobi(s, pairs[p][0], pairs[p][1], &q); }
    }
    return normalised(q);
}

// Turns that make m vanish below the diagonal, and leave the first two entries there at 0 or above.
static turn first_turn(rows m) {
    turn q = none;
    for (uint32_t p = 0; p < 3; ++p) {
        const uint32_t i = pairs[p][0], j = pairs[p][1];
        const double a = m[i][i], b = m[j][i], length = sqrt(a * a + b * b);
        if (!(length > SMALL)) { continue; }
        const double sine = b / length, cosine = a / length;
        turn_rows_back(m, i, j, sine, cosine);
        const double half_cosine = sqrt(0.5 * (1.0 + fabs(cosine))), half_sine = sine / (2.0 * half_cosine);
        q = product(q, cosine >= 0.0 ? plane_turn(i, j, half_sine, half_cosine)
                                     : plane_turn(i, j, half_cosine, half_sine));
    }
    return normalised(q);
}

static parts take_apart(const double m[12]) {
    rows linear, v, rest;
    for (uint32_t r = 0; r < 3; ++r) {
        for (uint32_t c = 0; c < 3; ++c) { linear[r][c] = m[4 * r + c]; }
    }
    const turn second = second_turn(linear);
    rows_of(second, v);
    for (uint32_t r = 0; r < 3; ++r) {
        for (uint32_t c = 0; c < 3; ++c) {
            rest[r][c] = linear[r][0] * v[0][c] + linear[r][1] * v[1][c] + linear[r][2] * v[2][c];
        }
    }
    parts p;
    p.u = first_turn(rest);
    p.v = (turn){-second.x, -second.y, -second.z, second.w};
    for (uint32_t i = 0; i < 3; ++i) { p.scale[i] = rest[i][i]; }
    return p;
}

// ---------------------------------------------------------------------------------------------------- the blend

// Source: Forge 1.12, TRSRTransformation.slerp: the corner's way is straight, so what turns about a hinge leaves it
// between its ends.
void zr_transform_blend(const zo_transform *a, const zo_transform *b, double p, zo_transform *out) {
    if (!(p > 0.0) || memcmp(a, b, sizeof *a) == 0) {
        *out = *a;
        return;
    }
    if (p >= 1.0) {
        *out = *b;
        return;
    }
    const parts from = take_apart(a->m), to = take_apart(b->m);
    rows u, v;
    rows_of(slerp(from.u, to.u, p), u);
    rows_of(slerp(from.v, to.v, p), v);
    double scale[3];
    for (uint32_t i = 0; i < 3; ++i) { scale[i] = lerp(from.scale[i], to.scale[i], p); }
    zo_transform result;
    for (uint32_t r = 0; r < 3; ++r) {
        for (uint32_t c = 0; c < 3; ++c) {
            result.m[4 * r + c] =
                u[r][0] * scale[0] * v[0][c] + u[r][1] * scale[1] * v[1][c] + u[r][2] * scale[2] * v[2][c];
        }
        result.m[4 * r + 3] = lerp(a->m[4 * r + 3], b->m[4 * r + 3], p);
    }
    result.opacity = lerp(a->opacity, b->opacity, p);
    *out = result;
}
