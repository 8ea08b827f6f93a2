// Fuzzer of Forge's files: any bytes, cut at form feeds into a file of any of the five kinds and what lies around it (a rig,
// two block models, a B3D model), which is handed over as it is asked for, or is not there. Compiled with any options;
// what is sound is stored, loaded, looked at forwards and backwards, asked for each state, with controls that hold and
// give whatever a double can be, drawn, and written as files of the other kind, which are JSON of one form each. Called by
// libFuzzer, or by replay_main.c with files.
#include <math.h>

#include "fuzz.h"

#include "base/arena.h"
#include "json/json.h"

enum { PIECES_MAX = 5, CUT = 0x0C, FILES_MAX = 64, ROUNDS_MAX = 40, LOOKS = 12, CALLS_MAX = 64 };
enum { RIG = 1, MODELS = 2, B3D = 4 }; // which piece is what

typedef struct folder {
    zo_source files[FILES_MAX];
    char *names[FILES_MAX];
    uint32_t count;
    const zo_source *pieces; // [PIECES_MAX]; the first is the file that is meant
    uint64_t seed;
} folder;

static void cut(const char *bytes, size_t size, zo_source pieces[PIECES_MAX]) {
    size_t at = 0;
    for (uint32_t i = 0; i < PIECES_MAX; i++) {
        const bool last = i + 1 == PIECES_MAX; // a B3D model may hold any byte
        const char *end = at < size && !last ? memchr(bytes + at, CUT, size - at) : NULL;
        const size_t length = end != NULL ? (size_t)(end - (bytes + at)) : size - at;
        pieces[i] = (zo_source){.name = "fuzz.json", .bytes = bytes + at, .size = length};
        at += length + (end != NULL);
    }
}

static bool ends(const char *name, const char *ending) {
    const size_t size = strlen(name), end = strlen(ending);
    return size >= end && strcmp(name + size - end, ending) == 0;
}

// What is there is a matter of its name alone, so that two models may well be each other's parents.
static void add_file(folder *f, const zo_need *need) {
    if (f->count == FILES_MAX) { return; }
    const uint32_t luck = (uint32_t)(zb_hash_bytes(need->name, strlen(need->name), f->seed) % 16);
    const bool rig = strstr(need->name, "armatures/") != NULL || strstr(need->name, "animation/") != NULL;
    const uint32_t piece = ends(need->name, ".b3d") ? B3D : rig ? RIG : MODELS + luck % 2;
    char *copy = f->names[f->count] = fuzz_take(strlen(need->name) + 1, 1);
    memcpy(copy, need->name, strlen(need->name));
    zo_source *file = &f->files[f->count++];
    *file = f->pieces[piece];
    file->name = copy;
    file->judged = luck / 2 == 1;
    if (luck / 2 == 0 || file->size == 0) { *file = (zo_source){.name = copy, .kind = ZO_SOURCE_MISSING}; }
}

static void look_at_report(const zo_report *report, zo_status status) {
    MUST((status == ZO_OK) == (zo_report_total(report, ZO_ERROR) == 0) || status == ZO_UNSUPPORTED);
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        MUST(zo_rule_find(zo_report_at(report, i)->id) != NULL);
    }
    fuzz_sum sum = {0};
    MUST(zo_report_write(report, ZO_REPORT_HUMAN, false, fuzz_write_sum, &sum));
}

static double any_number(fuzz_random *r) {
    static const double numbers[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e9, -1e18, 1e300, -1e300, 4.9e-324, 2147483648.0};
    switch (fuzz_below(r, 8)) {
    case 0: return (double)NAN;
    case 1: return (double)INFINITY;
    case 2: return -(double)INFINITY;
    case 3: return (double)fuzz_below(r, 1 << 20) / 4096.0 - 128.0;
    default: return numbers[fuzz_below(r, ZB_COUNT(numbers))];
    }
}

static double ask(void *context, double x) {
    fuzz_random *r = context;
    const uint64_t hash = zb_hash_bytes(&x, sizeof x, r->seed); // the same for the same x
    fuzz_random own = {hash, 0};
    return any_number(&own);
}

static void set_controls(const zo_program *program, zo_instance *instance, fuzz_random *r) {
    zo_param_info info;
    for (uint32_t i = 1; i <= FUZZ_RECORDS_MAX && zo_param_get(program, (zo_param){i}, &info); i++) {
        switch (fuzz_below(r, 5)) {
        case 0: zo_instance_set_param(instance, (zo_param){i}, any_number(r)); break;
        case 1: zo_instance_set_param_line(instance, (zo_param){i}, any_number(r), any_number(r)); break;
        case 2: zo_instance_ramp_param(instance, (zo_param){i}, any_number(r)); break;
        case 3: zo_instance_bind(instance, (zo_param){i}, fuzz_below(r, 2) == 0 ? ask : NULL, r); break;
        default: break;
        }
        (void)zo_instance_param(instance, (zo_param){i});
    }
    for (uint32_t i = 1; i <= FUZZ_RECORDS_MAX && i <= zo_expr_count(program); i++) {
        zo_fault fault;
        (void)zo_instance_expr(instance, (zo_expr){i}, any_number(r), &fault);
        MUST((uint32_t)fault < ZO_FAULT_COUNT);
    }
}

// All that the present instant has to tell, within bounds: polls that lie far apart may have found very much.
static void tell_all(zo_instance *instance, int64_t dt_ns) {
    zo_event events[16];
    zo_step step = {.left_ns = dt_ns};
    for (uint32_t i = 0; i < CALLS_MAX; i++) {
        step = zo_instance_advance(instance, step.left_ns, events, ZB_COUNT(events));
        MUST(step.count <= ZB_COUNT(events));
        for (uint32_t e = 0; e < step.count; e++) { MUST(events[e].name != NULL && !zb_is_nan(events[e].at_s)); }
        if (!step.more && step.left_ns == 0) { return; }
    }
}

static void look_around(const zo_program *program, fuzz_random *random, bool host_polls) {
    const zo_instance_def def = {.seed = random->seed, .host_polls = host_polls};
    zo_instance *instance = zo_instance_create(program, &def, NULL);
    zo_pose *pose = zo_pose_create(program, NULL);
    MUST(instance != NULL && pose != NULL);
    double seconds = 0.0;
    for (uint32_t i = 0; i < LOOKS; i++) {
        zo_state_info state;
        zo_target_state at;
        if (fuzz_below(random, 2) == 0) { set_controls(program, instance, random); }
        switch (fuzz_below(random, 6)) {
        case 0: seconds = any_number(random); break;
        case 1: seconds -= 0.75; break;
        case 2: seconds += 1e9; break;
        default: seconds += fuzz_below(random, 64) / 16.0; break;
        }
        if (!zb_is_finite(seconds)) {
            MUST(!zo_instance_poll(instance, seconds));
            seconds = 0.0;
        }
        zo_instance_poll(instance, seconds);
        tell_all(instance, (int64_t)fuzz_below(random, 1 << 10) << fuzz_below(random, 24));
        if (zo_state_get(program, (zo_state){1 + i}, &state)) { zo_instance_request(instance, state.name); }
        if (zo_instance_state(instance, &at)) {
            MUST(at.state.id >= 1 && at.state.id <= zo_state_count(program));
            MUST(at.weight >= 0.0 && at.weight <= 1.0);
        }
        zo_instance_sample(instance, pose);
        MUST((uint32_t)zo_instance_fault(instance) < ZO_FAULT_COUNT);
    }
    zo_pose_free(pose);
    zo_instance_free(instance);
}

static void play(const zo_program *program, fuzz_random *random) {
    size_t size;
    zo_program *loaded;
    const void *blob = zo_program_blob(program, &size);
    MUST(zo_load(blob, size, NULL, &loaded) == ZO_OK);
    MUST(zo_program_hash(loaded) == zo_program_hash(program));
    zo_program_free(loaded);
    look_around(program, random, true);
    look_around(program, random, false);
    fuzz_play(program, random->seed);
}

// JSON with a version, of which no member is there twice, and the name of each file once.
static void look_at_files(const zo_package *package) {
    MUST(package->file_count >= 3);
    for (uint32_t i = 0; i < package->file_count; i++) {
        const zo_package_file *file = &package->files[i];
        zb_arena arena = zb_arena_open(NULL);
        zd_report *report = zd_report_open(NULL, 0, true);
        const zj_doc *doc = zj_parse(&arena, file->text.data, file->text.size, 0, NULL, report);
        MUST(doc != NULL && zo_report_total(report, ZO_ERROR) + zo_report_total(report, ZO_WARNING) == 0);
        MUST(zj_member(doc, ZJ_ROOT, zb_text("format_version")) != 0);
        zd_report_close(report);
        zb_arena_close(&arena);
        for (uint32_t k = 0; k < i; k++) { MUST(strcmp(package->files[k].name, file->name) != 0); }
    }
}

static void write_others(const folder *f, const zo_compile_def *def) {
    zo_package *package = NULL;
    zo_report *report = NULL;
    const zo_status status = zo_export(f->files, f->count, "bedrock", def, &package, &report);
    MUST(status == ZO_OK || status == ZO_UNSUPPORTED || status == ZO_INVALID);
    MUST((package != NULL) == (status == ZO_OK) && report != NULL);
    if (status == ZO_OK) {
        MUST(zo_report_total(report, ZO_ERROR) == 0);
        look_at_files(package);
    }
    zo_package_free(package);
    zo_report_free(report);
}

// Asked for more until nothing more is asked for, as one would from a folder.
static void read_files(const zo_source *pieces, const zo_compile_def *def, fuzz_random *random) {
    folder f = {.pieces = pieces, .seed = random->seed};
    zo_program *program = NULL;
    f.files[f.count++] = pieces[0];
    for (uint32_t round = 0;; round++) {
        zo_report *report = NULL;
        const uint32_t before = f.count;
        const zo_status status = zo_compile(f.files, f.count, def, &program, &report);
        MUST(report != NULL && status != ZO_NO_MEMORY && round < ROUNDS_MAX);
        MUST((program != NULL) == (status == ZO_OK));
        MUST(status != ZO_NEEDS || zo_report_need_count(report) > 0);
        for (uint32_t i = 0; program == NULL && i < zo_report_need_count(report); i++) {
            add_file(&f, zo_report_need(report, i));
        }
        const bool over = f.count == before;
        if (over && status != ZO_NEEDS) { look_at_report(report, status); } // else there is no room for more
        zo_report_free(report);
        if (over) { break; }
    }
    if (program != NULL) {
        write_others(&f, def);
        play(program, random);
    }
    zo_program_free(program);
    for (uint32_t i = 1; i < f.count; i++) { free(f.names[i]); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"forge-machine", "forge-armature", "forge-model", "forge-draft-machine",
                                          "forge-draft-animation"};
    fuzz_random random = {zb_hash_bytes(data, size, 0), 0};
    char *bytes = fuzz_take(size + 1, 1);
    if (size != 0) { memcpy(bytes, data, size); }
    zo_source pieces[PIECES_MAX];
    cut(bytes, size, pieces);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t other = fuzz_below(&random, 16);
        const zo_compile_def def = {.format = other < ZB_COUNT(formats) ? formats[other] : NULL,
                                    .strict = fuzz_below(&random, 4) == 0,
                                    .draft_repeat_letter = fuzz_below(&random, 3) == 0,
                                    .draft_uniform_samples = fuzz_below(&random, 3) == 0,
                                    .late_faults = i == 1,
                                    .b3d_keys = (zo_b3d_keys)fuzz_below(&random, 3)};
        read_files(pieces, &def, &random);
    }
    free(bytes);
    return 0;
}
