// See figure.h. Everything is a shape with a distance: what a pixel gets is the share of it that lies within.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "figure.h"
#include "gather.h"

typedef struct point { double x, y; } point;
typedef struct ink { double r, g, b, a; } ink; // straight

static const ink BONE = {0.29, 0.41, 0.60, 1}, JOINT = {1, 1, 1, 1}, INK = {0.13, 0.16, 0.22, 1};

typedef struct canvas {
    zo_image *image;
    double scale, down;      // px a unit to the right, and down for a unit of y
    point stage, middle;     // the stage's middle in units, and on the picture
    double pen;              // px: what other widths are multiples of; the finer, the more there is to see
    double dot;              // px: of letters
} canvas;

static canvas canvas_of(const zo_program *program, double pixels_per_unit, zo_image *image) {
    double stage[4];
    zo_program_stage(program, stage);
    const double width = stage[2] - stage[0], height = fabs(stage[3] - stage[1]);
    canvas c = {.image = image, .stage = {(stage[0] + stage[2]) / 2, (stage[1] + stage[3]) / 2},
                .middle = {image->width / 2.0, image->height / 2.0}};
    c.scale = pixels_per_unit > 0 ? pixels_per_unit : fmin(image->width / width, image->height / height);
    c.down = stage[1] > stage[3] ? -c.scale : c.scale;
    return c;
}

static point place(const canvas *c, const zo_transform *t) {
    return (point){(t->m[3] - c->stage.x) * c->scale + c->middle.x, (t->m[7] - c->stage.y) * c->down + c->middle.y};
}

// ---------------------------------------------------------------------------------------------------- shapes

static void put_pixel(zo_image *image, uint32_t x, uint32_t y, ink color, double share) {
    const double alpha = color.a * share, own[4] = {color.r * alpha, color.g * alpha, color.b * alpha, alpha};
    uint8_t *pixel = image->pixels + y * image->stride + (size_t)x * 4;
    for (int i = 0; i < 4; i++) { pixel[i] = (uint8_t)(own[i] * 255.0 + pixel[i] * (1.0 - alpha) + 0.5); }
}

// A stroke that is as wide as said at both ends, or a parallelogram with round corners.
typedef struct shape {
    point from, to;          // STROKE; a box: its middle and nothing
    double radius, end_radius; // of both ends; a box: of its corners
    point half;              // BOX: half sides in its own px; 0: a stroke
    point across, along;     // BOX: where a px of its own goes
} shape;

static double stroke_distance(const shape *s, point p) {
    const double dx = s->to.x - s->from.x, dy = s->to.y - s->from.y, square = dx * dx + dy * dy;
    double t = square > 0 ? ((p.x - s->from.x) * dx + (p.y - s->from.y) * dy) / square : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(p.x - s->from.x - t * dx, p.y - s->from.y - t * dy) - (s->radius + (s->end_radius - s->radius) * t);
}

static double box_distance(const shape *s, point p) {
    const double det = s->across.x * s->along.y - s->across.y * s->along.x;
    const double x = p.x - s->from.x, y = p.y - s->from.y;
    const double u = fabs((x * s->along.y - y * s->along.x) / det) - s->half.x + s->radius;
    const double v = fabs((y * s->across.x - x * s->across.y) / det) - s->half.y + s->radius;
    const double outside = hypot(fmax(u, 0), fmax(v, 0)) + fmin(fmax(u, v), 0) - s->radius;
    return outside * fabs(det) / fmax(hypot(s->across.x, s->across.y), hypot(s->along.x, s->along.y));
}

static uint32_t cut(double at, uint32_t limit) { return at > 0 ? at < limit ? (uint32_t)at : limit : 0; }

static void fill(const canvas *c, const shape *s, ink color) {
    const bool box = s->half.x > 0;
    const double reach_x = box ? fabs(s->across.x) * s->half.x + fabs(s->along.x) * s->half.y
        : fmax(s->radius, s->end_radius);
    const double reach_y = box ? fabs(s->across.y) * s->half.x + fabs(s->along.y) * s->half.y
        : fmax(s->radius, s->end_radius);
    const point to = box ? s->from : s->to;
    const uint32_t left = cut(fmin(s->from.x, to.x) - reach_x - 1, c->image->width);
    const uint32_t right = cut(fmax(s->from.x, to.x) + reach_x + 2, c->image->width);
    const uint32_t top = cut(fmin(s->from.y, to.y) - reach_y - 1, c->image->height);
    const uint32_t bottom = cut(fmax(s->from.y, to.y) + reach_y + 2, c->image->height);
    for (uint32_t y = top; y < bottom; y++) {
        for (uint32_t x = left; x < right; x++) {
            const point p = {x + 0.5, y + 0.5};
            const double share = 0.5 - (box ? box_distance(s, p) : stroke_distance(s, p)); // false for NaN
            if (share > 0) { put_pixel(c->image, x, y, color, fmin(share, 1)); }
        }
    }
}

static void stroke(const canvas *c, point from, point to, double radius, double end_radius, ink color) {
    fill(c, &(shape){.from = from, .to = to, .radius = radius, .end_radius = end_radius}, color);
}

// ---------------------------------------------------------------------------------------------------- letters

// Seven rows of five dots, each a digit to the base of 32, the leftmost dot counting most.
static const struct { char sign; char rows[8]; } glyphs[] = {
    {'a', "00e1fhf"}, {'b', "gguhhhu"}, {'c', "00egghe"}, {'d', "11fhhhf"}, {'e', "00ehvge"}, {'f', "698s888"},
    {'g', "00fhf1e"}, {'h', "gguhhhh"}, {'i', "40c444e"}, {'j', "20622ic"}, {'k', "ggikoki"}, {'l', "c44444e"},
    {'m', "00qllhh"}, {'n', "00uhhhh"}, {'o', "00ehhhe"}, {'p', "00uhugg"}, {'q', "00fhf11"}, {'r', "00mpggg"},
    {'s', "00fge1u"}, {'t', "88s8896"}, {'u', "00hhhjd"}, {'v', "00hhha4"}, {'w', "00hhlla"}, {'x', "00ha4ah"},
    {'y', "00hhf1e"}, {'z', "00v248v"}, {'0', "ehjlphe"}, {'1', "4c4444e"}, {'2', "eh168gv"}, {'3', "v2421he"},
    {'4', "26aiv22"}, {'5', "vgu11he"}, {'6', "68guhhe"}, {'7', "v124888"}, {'8', "ehhehhe"}, {'9', "ehhf12c"},
    {'-', "000e000"}, {'/', "122488g"}, {'.', "00000cc"}, {'_', "000000v"}, {':', "0cc0cc0"}, {' ', "0000000"},
};
enum { DOTS_WIDE = 6, DOTS_HIGH = 7, LABEL_MAX = 18 };

static const char *rows_of(char sign) {
    for (size_t i = 0; i < sizeof glyphs / sizeof glyphs[0]; i++) {
        if (glyphs[i].sign == (char)tolower((unsigned char)sign)) { return glyphs[i].rows; }
    }
    return "vhhhhhv";
}

static uint32_t dots_of(char digit) { return (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10); }

// In the middle of a box, along it, but never mirrored nor on its head.
static void put_label(const canvas *c, const shape *box, const char *text, size_t size, ink color) {
    point x = box->across, y = box->along;
    if (x.x < 0) { x = (point){-x.x, -x.y}; }
    if (x.x * y.y - x.y * y.x < 0) { y = (point){-y.x, -y.y}; }
    const double left = -((double)size * DOTS_WIDE - 1) * c->dot / 2, top = -DOTS_HIGH * c->dot / 2;
    for (size_t i = 0; i < size * DOTS_HIGH * 5; i++) {
        const size_t k = i % (DOTS_HIGH * 5), row = k / 5, column = k % 5, sign = i / (DOTS_HIGH * 5);
        if ((dots_of(rows_of(text[sign])[row]) >> (4 - column) & 1) == 0) { continue; }
        const double u = left + ((double)(sign * DOTS_WIDE + column) + 0.5) * c->dot, v = top +
            ((double)row + 0.5) * c->dot;
        const point at = {box->from.x + x.x * u + y.x * v, box->from.y + x.y * u + y.y * v};
        fill(c, &(shape){.from = at, .half = {c->dot / 2, c->dot / 2}, .across = x, .along = y}, color);
    }
}

// ---------------------------------------------------------------------------------------------------- sprites

typedef struct sprite {
    zo_target target;
    const char *name;        // behind sprite/
    uint32_t cel, image;     // shown now: cel + 1, and its picture + 1; 0: none
    double order;
    ink tint;
} sprite;

static double value_of(const zo_program *program, const zo_pose *pose, const char *target, const char *property,
                       double absent) {
    char name[512];
    snprintf(name, sizeof name, "%s %s", target, property);
    const zo_channel channel = zo_channel_find(program, name);
    return channel.id != 0 ? pose->slots[channel.id - 1] : absent;
}

static bool sprite_at(const zo_program *program, const cli_pictures *pictures, const zo_pose *pose, uint32_t target,
                      sprite *out) {
    const char *name = zo_target_name(program, (zo_target){target});
    if (strncmp(name, "sprite/", 7) != 0) { return false; }
    const double cel = value_of(program, pose, name, "sprite", 0);
    *out = (sprite){.target = {target}, .name = name + 7, .cel = cel >= 1 && cel <= pictures->cel_count ? (uint32_t)cel
                    : 0};
    out->image = out->cel != 0 ? pictures->cel_images[out->cel - 1] : 0;
    out->order = value_of(program, pose, name, "sortingOrder", 0);
    out->tint = (ink){value_of(program, pose, name, "color.r", 1), value_of(program, pose, name, "color.g", 1),
                        value_of(program, pose, name, "color.b", 1), value_of(program, pose, name, "color.a", 1)};
    return true;
}

static double unit(double value) { return value > 0 ? fmin(value, 1) : 0; }

// A soft colour of its own for each name.
static ink paint_of(const sprite *s) {
    uint32_t hash = 2166136261u;
    for (const char *at = s->name; *at != 0; at++) { hash = (hash ^ (uint8_t)*at) * 16777619u; }
    const double turn = (hash >> 8) % 360 / 60.0;
    double parts[3];
    for (int i = 0; i < 3; i++) {
        const double from = fabs(fmod(turn + 2.0 * i, 6.0) - 3.0);
        parts[i] = 0.58 + 0.34 * unit(from - 1.0);
    }
    return (ink){parts[0] * unit(s->tint.r), parts[1] * unit(s->tint.g), parts[2] * unit(s->tint.b),
                   0.88 * unit(s->tint.a)};
}

static void draw_box(const canvas *c, const zo_program *program, const zo_pose *pose, const sprite *s) {
    const zo_transform *t = &pose->transforms[s->target.id - 1];
    zo_cel_info cel = {.name = s->name};
    if (s->cel != 0) { zo_cel_get(program, (zo_cel){s->cel}, &cel); }
    const size_t whole = strlen(cel.name), size = whole < LABEL_MAX ? whole : LABEL_MAX;
    const double dot = c->dot, sign = c->down < 0 ? -1 : 1;
    shape box = {.from = place(c, t), .radius = 3 * dot,
                 .half = {((double)size * DOTS_WIDE + 5) * dot / 2, (DOTS_HIGH + 7) * dot / 2},
                 .across = {t->m[0], t->m[4] * sign}, .along = {t->m[1], t->m[5] * sign}};
    if (!(fabs(box.across.x * box.along.y - box.across.y * box.along.x) > 1e-6)) { return; }
    const ink paint = paint_of(s);
    ink edge = INK;
    edge.a = paint.a;
    fill(c, &box, edge);
    box.half.x -= dot;
    box.half.y -= dot;
    box.radius -= dot;
    fill(c, &box, paint);
    put_label(c, &box, cel.name + whole - size, size, edge); // of a long name the end, which tells more
}

// From the back to the front. There are few, and none is drawn twice.
static void draw_boxes(const canvas *c, const zo_program *program, const cli_pictures *pictures, const zo_pose *pose,
                       bool all) {
    double last = -HUGE_VAL;
    for (bool any = true; any;) {
        double next = HUGE_VAL;
        any = false;
        for (uint32_t t = 1; t <= pose->target_count; t++) {
            sprite s;
            if (!sprite_at(program, pictures, pose, t, &s)) { continue; }
            if (s.order == last && s.image == 0 && (all || s.cel != 0)) { draw_box(c, program, pose, &s); }
            if (s.order > last && s.order < next) { next = s.order; }
            any = any || s.order > last;
        }
        last = next;
    }
}

// ---------------------------------------------------------------------------------------------------- bones

static bool is_bone(const zo_program *program, uint32_t target) {
    return strncmp(zo_target_name(program, (zo_target){target}), "bone/", 5) == 0;
}

// Whether a bone hangs on it at some distance, so that there is something to draw towards.
static bool has_limb(const canvas *c, const zo_program *program, const zo_pose *pose, uint32_t target) {
    const point from = place(c, &pose->transforms[target - 1]);
    for (uint32_t t = target + 1; t <= pose->target_count; t++) {
        if (zo_target_parent(program, (zo_target){t}).id != target || !is_bone(program, t)) { continue; }
        const point to = place(c, &pose->transforms[t - 1]);
        if (hypot(to.x - from.x, to.y - from.y) > c->pen) { return true; }
    }
    return false;
}

// What turns and grows but leads nowhere shows it by a short line along its own y.
static point stub_end(const canvas *c, const zo_transform *t) {
    const point from = place(c, t);
    const double x = t->m[1], y = t->m[5] * (c->down < 0 ? -1 : 1), length = hypot(x, y);
    const double px = length > 0 ? 4.5 * c->pen * fmin(fmax(length, 0.25), 3) / length : 0;
    return (point){from.x + x * px, from.y + y * px};
}

static void draw_bones(const canvas *c, const zo_program *program, const zo_pose *pose) {
    for (uint32_t pass = 0; pass < 2; pass++) { // joints over limbs
        for (uint32_t t = 1; t <= pose->target_count; t++) {
            if (!is_bone(program, t)) { continue; }
            const zo_transform *own = &pose->transforms[t - 1];
            const point at = place(c, own);
            const uint32_t parent = zo_target_parent(program, (zo_target){t}).id;
            if (pass == 1) {
                stroke(c, at, at, 0.62 * c->pen, 0.62 * c->pen, BONE);
                stroke(c, at, at, 0.36 * c->pen, 0.36 * c->pen, JOINT);
                continue;
            }
            if (!has_limb(c, program, pose, t)) {
                stroke(c, at, stub_end(c, own), 0.5 * c->pen, 0.12 * c->pen, BONE);
            }
            if (parent != 0) {
                stroke(c, place(c, &pose->transforms[parent - 1]), at, 0.55 * c->pen, 0.28 * c->pen, BONE);
            }
        }
    }
}

void cli_figure_draw(const zo_program *program, const cli_pictures *pictures, const zo_pose *pose,
                     double pixels_per_unit, zo_image *image) {
    if (!cli_has_rig(program)) { return; }
    canvas c = canvas_of(program, pixels_per_unit, image);
    uint32_t bone_count = 0, box_count = 0;
    bool any = false, missing = false;
    for (uint32_t t = 1; t <= pose->target_count; t++) {
        sprite s;
        bone_count += is_bone(program, t);
        if (!sprite_at(program, pictures, pose, t, &s)) { continue; }
        box_count++;
        any = any || s.image != 0;
        missing = missing || (s.cel != 0 && s.image == 0);
    }
    if (any && !missing) { return; }
    const double side = fmin(image->width, image->height);
    c.pen = side / (bone_count <= 12 ? 64 : 100);
    c.dot = fmax(1, floor(side / (box_count <= 8 ? 220 : 320)));
    if (!any) { draw_bones(&c, program, pose); }
    draw_boxes(&c, program, pictures, pose, !any);
}
