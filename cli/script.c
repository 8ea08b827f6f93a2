// See script.h. A small reader of its own: a step is an object of plain members, no deeper than two levels, and what is
// wrong wants the line that it stands on. What may stand in a step is one table.
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "nearest.h"
#include "script.h"

enum { STEPS_MAX = 1000000, FAULTS_MAX = 20, STOPS_MAX = 256 };
static const size_t SCRIPT_BYTES_MAX = (size_t)64 << 20;
static const double MS_MAX = 4e12; // of one wait, of a time stamp; half of what the clock holds, 146 years

typedef enum value { A_NUMBER, A_TEXT, A_TRUTH, AN_OBJECT } value;

// Members of a step, then of what an event is, in the order of the table.
typedef enum member {
    ADVANCE_MS, REQUEST, TRIGGER, RELEASE, SPEAKING, MOUTH, EVENT, CLICK, PLAY, FLASH, SET, SEEK_MS, HIDDEN,
    REDUCED_MOTION, RAMP, POLL_S, INTERRUPT, MS, AFTER_SPEECH,
    EVENT_TYPE, EVENT_SESSION, EVENT_TS, EVENT_TOOL, MEMBERS
} member;

static const struct {
    const char *name;
    value value;
    member of; // stands beside this one, or in it; MEMBERS: a step of its own
    const char *wants;
    member or_of; // beside this one too; 0: no other
} members[MEMBERS] = {
    [ADVANCE_MS] = {"advance_ms", A_NUMBER, MEMBERS, "a number of ms, 0 or more", 0},
    [REQUEST] = {"request", A_TEXT, MEMBERS, "the name of a state", 0},
    [TRIGGER] = {"trigger", A_TEXT, MEMBERS, "a label", 0},
    [RELEASE] = {"release", A_TRUTH, MEMBERS, "true", 0},
    [SPEAKING] = {"speaking", A_TRUTH, MEMBERS, "true or false", 0},
    [MOUTH] = {"mouth", A_NUMBER, MEMBERS, "a number from 0 to 1", 0},
    [EVENT] = {"event", AN_OBJECT, MEMBERS, "an object with a type", 0},
    [CLICK] = {"click", A_TRUTH, MEMBERS, "true", 0},
    [PLAY] = {"play", A_TEXT, MEMBERS, "the name of a clip", 0},
    [FLASH] = {"flash", A_TEXT, MEMBERS, "the name of a picture", 0},
    [SET] = {"set", AN_OBJECT, MEMBERS, "an object of parameters and numbers or lines", 0},
    [SEEK_MS] = {"seek_ms", A_NUMBER, MEMBERS, "a number of ms, 0 or more", 0},
    [HIDDEN] = {"hidden", A_TRUTH, MEMBERS, "true or false", 0},
    [REDUCED_MOTION] = {"reduced_motion", A_TRUTH, MEMBERS, "true or false", 0},
    [RAMP] = {"ramp", AN_OBJECT, MEMBERS, "an object of controls and slopes", 0},
    [POLL_S] = {"poll_s", A_NUMBER, MEMBERS, "a time in seconds", 0},
    [INTERRUPT] = {"interrupt", A_TRUTH, PLAY, "true or false", 0},
    [MS] = {"ms", A_NUMBER, FLASH, "a number of ms", 0},
    [AFTER_SPEECH] = {"after_speech", A_TRUTH, TRIGGER, "true or false", RELEASE},
    [EVENT_TYPE] = {"type", A_TEXT, EVENT, "a type of event", 0},
    [EVENT_SESSION] = {"sessionId", A_TEXT, EVENT, "a text", 0},
    [EVENT_TS] = {"ts", A_NUMBER, EVENT, "a number of ms", 0},
    [EVENT_TOOL] = {"toolKind", A_TEXT, EVENT, "a text", 0},
};

static const char *step_name_at(uint32_t index) { return index < EVENT_TYPE ? members[index].name : NULL; }
static const char *event_name_at(uint32_t index) {
    return index + EVENT_TYPE < MEMBERS ? members[index + EVENT_TYPE].name : NULL;
}

typedef struct reader {
    const char *file;
    const char *at, *end;
    uint32_t line;
    char *text; // where the next one goes: no text is longer than what stands for it in the file
    uint32_t faults;
    bool broken; // it is no JSON: nothing can be read from here on
    bool no_memory;
    const zo_program *program;
    zo_instance *scratch; // of a program with states, to ask what it knows
    cli_script *script;
} reader;

__attribute__((format(printf, 3, 4))) static void fault(reader *r, uint32_t line, const char *format, ...) {
    if (r->faults++ >= FAULTS_MAX) { return; }
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    cli_say("%s:%u: %s", r->file, line, message);
}

__attribute__((format(printf, 2, 3))) static void no_json(reader *r, const char *format, ...) {
    char message[256];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (!r->broken) { fault(r, r->line, "this is no JSON: %s", message); }
    r->broken = true;
}

// ---------------------------------------------------------------------------------------------------- JSON

static int next(reader *r) { // the next sign that counts, -1: the end
    for (; r->at < r->end && memchr(" \t\r\n", *r->at, 4) != NULL; r->at++) { r->line += *r->at == '\n'; }
    return r->at < r->end && !r->broken ? (unsigned char)*r->at : -1;
}

static bool take(reader *r, char sign) {
    if (next(r) != sign) { return false; }
    r->at++;
    return true;
}

static void expect(reader *r, char sign) {
    if (!take(r, sign)) { no_json(r, "'%c' is missing", sign); }
}

static bool read_hex(reader *r, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = r->at < r->end && *r->at != 0 ? strchr(digits, *r->at) : NULL;
        if (digit == NULL) { return false; }
        *code = *code << 4 | (uint32_t)((digit - digits) & 15);
    }
    return true;
}

static char *put_utf8(char *to, uint32_t code) {
    static const uint8_t marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    const int size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (size == 1) {
        *to = (char)code;
        return to + 1;
    }
    for (int i = size - 1; i > 0; i--, code >>= 6) { to[i] = (char)(0x80 | (code & 0x3F)); }
    to[0] = (char)(marks[size] | code);
    return to + size;
}

static bool read_code(reader *r, uint32_t *code) { // behind \u
    uint32_t low = 0;
    if (!read_hex(r, code)) { return false; }
    if (*code < 0xD800 || *code > 0xDFFF) { return *code != 0; }
    if (*code > 0xDBFF || r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u') { return false; }
    r->at += 2;
    if (!read_hex(r, &low) || low < 0xDC00 || low > 0xDFFF) { return false; }
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return true;
}

static const char *read_text(reader *r) {
    static const char signs[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *text = r->text;
    expect(r, '"');
    while (!r->broken && r->at < r->end && *r->at != '"' && (unsigned char)*r->at >= 0x20) {
        if (*r->at != '\\') {
            *r->text++ = *r->at++;
            continue;
        }
        r->at++;
        const char *sign = r->at < r->end && *r->at != 0 ? strchr(signs, *r->at) : NULL;
        uint32_t code = 0;
        if (sign != NULL) {
            code = (unsigned char)meant[sign - signs];
            r->at++;
        } else if (r->at >= r->end || *r->at++ != 'u' || !read_code(r, &code)) {
            no_json(r, "no such escape");
            break;
        }
        r->text = put_utf8(r->text, code);
    }
    if (r->broken || r->at >= r->end || *r->at != '"') {
        no_json(r, "a text that does not end in its line");
        return "";
    }
    r->at++;
    *r->text++ = 0;
    return text;
}

static bool digits(const char **at) {
    const char *first = *at;
    while (**at >= '0' && **at <= '9') { ++*at; }
    return *at > first;
}

static bool is_number(const char *at) {
    if (*at == '-') { at++; }
    const bool zero = *at == '0';
    const char *first = at;
    if (!digits(&at) || (zero && at - first > 1)) { return false; }
    if (*at == '.' && (at++, !digits(&at))) { return false; }
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '+' || *at == '-') { at++; }
        if (!digits(&at)) { return false; }
    }
    return *at == 0;
}

static bool read_word(reader *r, const char *word) {
    const size_t size = strlen(word);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0) { return false; }
    r->at += size;
    return true;
}

static double read_number(reader *r) {
    char text[64];
    size_t size = 0;
    while (r->at < r->end && *r->at != 0 && strchr("+-.0123456789eE", *r->at) != NULL && size + 1 < sizeof text) {
        text[size++] = *r->at++;
    }
    text[size] = 0;
    if (!is_number(text)) { no_json(r, "'%.20s' is no number", text); }
    return strtod(text, NULL);
}

// What a member is worth; of those it can be one is filled.
typedef struct worth {
    bool given;
    double number;
    const char *text;
    bool truth;
} worth;

// Any value; one that is not of the kind is passed over. true: it is.
static bool read_value(reader *r, value kind, worth *w) {
    const int sign = next(r);
    w->given = true;
    if (sign == '"') {
        w->text = read_text(r);
        return kind == A_TEXT;
    }
    if (sign == 't' || sign == 'f' || sign == 'n') {
        const bool is_null = read_word(r, "null");
        w->truth = !is_null && read_word(r, "true");
        if (!is_null && !w->truth && !read_word(r, "false")) { no_json(r, "no such word"); }
        return kind == A_TRUTH && !is_null;
    }
    if (sign == '{' || sign == '[') { // whatever is in it: signs outside texts that open and close
        uint32_t depth = 0;
        do {
            const int at = next(r);
            if (at == '"') {
                read_text(r);
                continue;
            }
            if (at < 0) { no_json(r, "it ends too early"); }
            depth += at == '{' || at == '[';
            depth -= at == '}' || at == ']';
            r->at += at >= 0;
        } while (depth > 0 && !r->broken);
        return false;
    }
    if (sign < 0) {
        no_json(r, "it ends too early");
        return false;
    }
    w->number = read_number(r);
    return kind == A_NUMBER;
}

// ---------------------------------------------------------------------------------------------------- one step

static void *grown(reader *r, void *items, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) { return items; }
    const uint32_t more = *capacity * 2 + 64;
    void *moved = realloc(items, more * size);
    if (moved == NULL) {
        r->no_memory = r->broken = true;
        return items;
    }
    *capacity = more;
    return moved;
}

// Every parameter of that name: clips have their own, and a script means whichever is played. Lines and ramps are for
// controls.
static void add_set(reader *r, cli_step *step, const char *name, const cli_set *set, uint32_t line) {
    cli_script *script = r->script;
    zo_param_info info;
    const char *near = NULL;
    uint32_t found = 0, plain = 0;
    for (uint32_t p = 1; zo_param_get(r->program, (zo_param){p}, &info); p++) {
        if (strcmp(info.name, name) != 0) { continue; }
        if (info.clip.id != 0 && (set->is_line || step->kind == CLI_STEP_RAMP)) {
            plain++;
            continue;
        }
        script->sets = grown(r, script->sets, script->set_count, &script->set_capacity, sizeof *script->sets);
        if (r->no_memory) { return; }
        script->sets[script->set_count] = *set;
        script->sets[script->set_count++].param.id = p;
        step->set_count++;
        found++;
    }
    if (found > 0) { return; }
    if (plain > 0) {
        fault(r, line, "parameter '%s' is a plain number: only controls change with time", name);
        return;
    }
    for (uint32_t c = 0; near == NULL && c <= zo_clip_count(r->program); c++) { // of none: controls alone
        zo_clip_info clip = {.name = ""};
        zo_clip_get(r->program, (zo_clip){c}, &clip);
        near = cli_nearest_param(r->program, &clip, name);
    }
    fault(r, line, "there is no parameter '%s'%s", name, cli_did_you_mean(near).text);
}

// Numbers by two names, of which the first must be there. false: said, or not JSON.
static bool read_pair(reader *r, const char *const names[2], double figures[2], bool given[2], uint32_t line) {
    const uint32_t faults = r->faults;
    expect(r, '{');
    if (!take(r, '}')) {
        do {
            worth w = {0};
            if (next(r) != '"') {
                no_json(r, "a name is missing");
                return false;
            }
            const char *name = read_text(r);
            expect(r, ':');
            const bool fine = !r->broken && read_value(r, A_NUMBER, &w);
            if (r->broken) { return false; }
            const int which = strcmp(name, names[0]) == 0 ? 0 : strcmp(name, names[1]) == 0 ? 1 : 2;
            if (which == 2) {
                fault(r, line, "here '%s' and '%s' may stand, and no '%s'", names[0], names[1], name);
            } else if (given[which]) {
                fault(r, line, "'%s' is given twice", name);
            } else if (!fine) {
                fault(r, line, "'%s' wants a number", name);
            } else {
                given[which] = true;
                figures[which] = w.number;
            }
        } while (take(r, ','));
        expect(r, '}');
    }
    return !r->broken && r->faults == faults;
}

// {"mul": m, "add": a}: m x + a
static bool read_line(reader *r, const char *name, cli_set *set, uint32_t line) {
    static const char *const names[2] = {"mul", "add"};
    double figures[2] = {0.0, 0.0};
    bool given[2] = {false, false};
    if (!read_pair(r, names, figures, given, line)) { return false; }
    if (!given[0]) {
        fault(r, line, "a line for '%s' wants 'mul', as in {\"mul\": 0.5, \"add\": 1}", name);
        return false;
    }
    set->slope = figures[0];
    set->value = figures[1];
    return set->is_line = true;
}

// {"to": value, "ms": time}
static bool read_way(reader *r, const char *name, cli_set *set, uint32_t line) {
    static const char *const names[2] = {"to", "ms"};
    double figures[2] = {0.0, 0.0};
    bool given[2] = {false, false};
    if (!read_pair(r, names, figures, given, line)) { return false; }
    if (!given[0] || !given[1] || !(figures[1] >= 1e-6 && figures[1] <= MS_MAX)) {
        fault(r, line, "a ramp of '%s' wants a slope, or where it leads and how long that takes, as in {\"to\": 2, "
                       "\"ms\": 500}", name);
        return false;
    }
    set->value = figures[0];
    set->ns = (int64_t)floor(figures[1] * 1e6 + 0x1p-10);
    return true;
}

static void read_sets(reader *r, cli_step *step, cli_step_kind kind) {
    step->first_set = r->script->set_count;
    step->kind = kind;
    expect(r, '{');
    if (take(r, '}')) { return; }
    do {
        worth w = {0};
        cli_set set = {.value = 0.0};
        const int sign = next(r);
        const uint32_t line = r->line;
        if (sign != '"') {
            no_json(r, "a name is missing");
            return;
        }
        const char *name = read_text(r);
        expect(r, ':');
        bool fine = false;
        if (next(r) == '{') {
            fine = kind == CLI_STEP_SET ? read_line(r, name, &set, line) : read_way(r, name, &set, line);
        } else if (!r->broken && read_value(r, A_NUMBER, &w)) {
            *(kind == CLI_STEP_SET ? &set.value : &set.slope) = w.number;
            fine = isfinite(w.number);
            if (!fine) { fault(r, line, "parameter '%s' wants a number that is not so large", name); }
        } else if (!r->broken) {
            fault(r, line, "parameter '%s' wants a number", name);
        }
        if (r->broken) { return; }
        if (fine) { add_set(r, step, name, &set, line); }
    } while (take(r, ','));
    expect(r, '}');
}

static void read_members(reader *r, worth *found, cli_step *step, bool in_event);

static void read_member(reader *r, worth *found, cli_step *step, bool in_event) {
    const member first = in_event ? EVENT_TYPE : ADVANCE_MS, end = in_event ? MEMBERS : EVENT_TYPE;
    const uint32_t line = r->line;
    const char *name = read_text(r);
    expect(r, ':');
    if (r->broken) { return; }
    member m = first;
    while (m < end && strcmp(members[m].name, name) != 0) { m++; }
    worth ignored = {0};
    if (m == end) {
        const char *near = cli_nearest(name, in_event ? event_name_at : step_name_at);
        const char *what = in_event ? "an event has no" : "a step has no";
        fault(r, line, "%s '%s'%s", what, name, cli_did_you_mean(near).text);
        read_value(r, A_TEXT, &ignored);
        return;
    }
    if (found[m].given) { fault(r, line, "'%s' is given twice", name); }
    if (members[m].value == AN_OBJECT && next(r) == '{') {
        found[m].given = true;
        if (m == SET || m == RAMP) {
            read_sets(r, step, m == SET ? CLI_STEP_SET : CLI_STEP_RAMP);
        } else {
            read_members(r, found, step, true);
        }
    } else if (!read_value(r, members[m].value, &found[m]) && !r->broken) {
        fault(r, line, "'%s' wants %s", name, members[m].wants);
        found[m] = (worth){.given = true, .text = NULL};
    }
}

static void read_members(reader *r, worth *found, cli_step *step, bool in_event) {
    expect(r, '{');
    if (r->broken || take(r, '}')) { return; }
    do {
        if (next(r) != '"') {
            no_json(r, "a name is missing");
            return;
        }
        read_member(r, found, step, in_event);
    } while (!r->broken && take(r, ','));
    expect(r, '}');
}

static const char *state_at(const reader *r, uint32_t index) { // names, then groups
    zo_state_info info;
    const uint32_t count = zo_state_count(r->program);
    if (index >= 2 * count || !zo_state_get(r->program, (zo_state){index % count + 1}, &info)) { return NULL; }
    return index < count ? info.name : info.group;
}

static void check_state(reader *r, const char *name, uint32_t line) {
    const char *known;
    for (uint32_t i = 0; (known = state_at(r, i)) != NULL; i++) {
        if (strcmp(known, name) == 0) { return; }
    }
    fault(r, line, "there is no state '%s'%s", name, cli_did_you_mean(cli_nearest_state(r->program, name)).text);
}

static zo_clip check_clip(reader *r, const char *name, uint32_t line) {
    const zo_clip clip = zo_clip_find(r->program, name);
    if (clip.id == 0) {
        fault(r, line, "there is no clip '%s'%s", name, cli_did_you_mean(cli_nearest_clip(r->program, name)).text);
    }
    return clip;
}

static zo_cel check_cel(reader *r, const char *name, uint32_t line) {
    const zo_cel cel = zo_cel_find(r->program, name);
    if (cel.id == 0) {
        fault(r, line, "there is no picture '%s'%s", name, cli_did_you_mean(cli_nearest_cel(r->program, name)).text);
    }
    return cel;
}

// Rounded down as all durations are; a little is added so that 0.3 ms are 300,000 ns.
static int64_t ns_of(reader *r, member m, const worth *w, double low, uint32_t line) {
    if (w->number >= low && w->number <= MS_MAX) { return (int64_t)floor(w->number * 1e6 + 0x1p-10); }
    fault(r, line, "'%s' wants %s, at most %.0f", members[m].name, members[m].wants, MS_MAX);
    return 0;
}

static void check_event(reader *r, const worth *found, cli_step *step, uint32_t line) {
    step->text = found[EVENT_TYPE].text;
    step->source = found[EVENT_SESSION].text;
    step->tool = found[EVENT_TOOL].text;
    step->stamped = found[EVENT_TS].given;
    if (step->stamped) { step->ns = ns_of(r, EVENT_TS, &found[EVENT_TS], -MS_MAX, line); }
    if (!found[EVENT_TYPE].given) { fault(r, line, "an event wants a 'type'"); }
    if (step->text == NULL) { return; }
    const zo_status_event event = {.type = step->text, .source = step->source, .tool = step->tool};
    if (r->scratch != NULL && !zo_instance_status(r->scratch, &event)) {
        const char *near = cli_nearest_status(r->program, step->text);
        fault(r, line, "nothing here listens to events of type '%s'%s", step->text, cli_did_you_mean(near).text);
    }
}

// What a machine that runs by itself is told.
static bool needs_graph(member m) { return m == TRIGGER || m == RELEASE || m == SPEAKING || m == MOUTH; }

static bool needs_states(member m) { return m == REQUEST || m == EVENT || m == CLICK || m == FLASH; }

static bool looks(const zo_program *program) {
    zo_posing_info posing;
    return zo_posing_get(program, &posing) && posing.looks;
}

static void check_step(reader *r, member m, const worth *found, cli_step *step, uint32_t line) {
    static const cli_step_kind kinds[] = {
        [ADVANCE_MS] = CLI_STEP_ADVANCE, [REQUEST] = CLI_STEP_REQUEST, [EVENT] = CLI_STEP_EVENT,
        [CLICK] = CLI_STEP_CLICK, [PLAY] = CLI_STEP_PLAY, [FLASH] = CLI_STEP_FLASH, [SET] = CLI_STEP_SET,
        [SEEK_MS] = CLI_STEP_SEEK, [HIDDEN] = CLI_STEP_HIDDEN, [REDUCED_MOTION] = CLI_STEP_REDUCED_MOTION,
        [TRIGGER] = CLI_STEP_TRIGGER, [RELEASE] = CLI_STEP_RELEASE, [SPEAKING] = CLI_STEP_SPEAKING,
        [MOUTH] = CLI_STEP_MOUTH, [RAMP] = CLI_STEP_RAMP, [POLL_S] = CLI_STEP_POLL,
    };
    step->kind = kinds[m];
    if (needs_states(m) && zo_state_count(r->program) == 0) {
        fault(r, line, "'%s' is for pets: here are no states", members[m].name);
        return;
    }
    if (needs_graph(m) && !cli_has_graph(r->program)) {
        fault(r, line, "'%s' is for characters with a graph: here is none", members[m].name);
        return;
    }
    if (m == POLL_S && !looks(r->program)) {
        fault(r, line, "'poll_s' is for machines that look at the world every so often: here is none");
        return;
    }
    if (members[m].value == A_TEXT && found[m].text == NULL) { return; } // said
    step->text = found[m].text;
    step->on = found[m].truth;
    step->ms = found[MS].number;
    switch (m) {
    case ADVANCE_MS:
    case SEEK_MS: step->ns = ns_of(r, m, &found[m], 0.0, line); break;
    case REQUEST: check_state(r, step->text, line); break;
    case EVENT: check_event(r, found, step, line); break;
    case CLICK:
        if (!step->on) { fault(r, line, "'click' wants true"); }
        break;
    case PLAY:
        step->clip = check_clip(r, step->text, line);
        step->on = !found[INTERRUPT].given || found[INTERRUPT].truth;
        break;
    case RELEASE:
        if (!step->on) { fault(r, line, "'release' wants true"); }
        step->on = found[AFTER_SPEECH].truth;
        break;
    case TRIGGER: step->on = found[AFTER_SPEECH].truth; break;
    case MOUTH:
        step->level = found[MOUTH].number;
        if (step->level < 0.0 || step->level > 1.0) { fault(r, line, "'mouth' wants %s", members[MOUTH].wants); }
        break;
    case FLASH: step->cel = check_cel(r, step->text, line); break;
    case POLL_S:
        step->seconds = found[POLL_S].number;
        if (!isfinite(step->seconds)) { fault(r, line, "'poll_s' wants %s", members[POLL_S].wants); }
        break;
    default: break;
    }
}

static void no_step(reader *r) {
    switch (next(r)) {
    case -1: no_json(r, "it ends where a step is to come"); break;
    case ']': no_json(r, "there is a comma behind the last step"); break;
    default:
        if (!r->broken) { fault(r, r->line, "a step is an object, such as {\"advance_ms\": 100}"); }
        r->broken = true;
    }
}

static void read_step(reader *r) {
    cli_script *script = r->script;
    worth found[MEMBERS] = {0};
    cli_step step = {0};
    if (next(r) != '{') {
        no_step(r);
        return;
    }
    const uint32_t line = r->line, faults = r->faults;
    read_members(r, found, &step, false);
    if (r->broken) { return; }
    member only = MEMBERS;
    for (member m = 0; m < EVENT_TYPE; m++) {
        if (!found[m].given) { continue; }
        if (members[m].of != MEMBERS) {
            const member other = members[m].or_of;
            if (!found[members[m].of].given && (other == 0 || !found[other].given)) {
                fault(r, line, "'%s' stands beside '%s'", members[m].name, members[members[m].of].name);
            }
        } else if (only != MEMBERS) {
            fault(r, line, "'%s' and '%s' are two steps", members[only].name, members[m].name);
        } else {
            only = m;
        }
    }
    if (only == MEMBERS && r->faults == faults) { fault(r, line, "this step does nothing"); }
    if (only != MEMBERS) { check_step(r, only, found, &step, line); }
    if (script->count == STEPS_MAX) {
        fault(r, line, "more than %d steps", STEPS_MAX);
        r->broken = true;
        return;
    }
    script->steps = grown(r, script->steps, script->count, &script->capacity, sizeof *script->steps);
    if (!r->no_memory) { script->steps[script->count++] = step; }
}

// ---------------------------------------------------------------------------------------------------- all steps

static void read_steps(reader *r) {
    if (r->end - r->at >= 3 && memcmp(r->at, "\xEF\xBB\xBF", 3) == 0) { r->at += 3; }
    if (take(r, '[')) {
        if (!take(r, ']')) {
            do { read_step(r); } while (!r->broken && take(r, ','));
            expect(r, ']');
        }
        if (!r->broken && next(r) >= 0) { no_json(r, "there is more behind the array"); }
        return;
    }
    while (!r->broken && next(r) >= 0) { read_step(r); }
}

// ---------------------------------------------------------------------------------------------------- ramps that end

// A parameter that is on its way to a value, and stays there from then on.
typedef struct stop {
    zo_param param;
    double value;
    int64_t since_ns, at_ns;
    bool made;
} stop;

typedef struct stops {
    stop items[STOPS_MAX];
    uint32_t count;
    int64_t now_ns;
    cli_step *steps; // as they become
    uint32_t step_count, capacity;
} stops;

static void put_step(reader *r, stops *s, cli_step step) {
    s->steps = grown(r, s->steps, s->step_count, &s->capacity, sizeof *s->steps);
    if (!r->no_memory) { s->steps[s->step_count++] = step; }
}

// A call replaces what was to come after it, and what had begun later is as if it had not been.
static void begin_call(stops *s) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->items[i].since_ns > s->now_ns) { continue; }
        s->items[kept] = s->items[i];
        s->items[kept].made = s->items[kept].made && s->items[kept].at_ns <= s->now_ns;
        kept++;
    }
    s->count = kept;
}

static void take_sets(reader *r, stops *s, const cli_step *step) {
    for (uint32_t k = step->first_set; k < step->first_set + step->set_count; k++) {
        const cli_set *set = &r->script->sets[k];
        uint32_t i = 0;
        while (i < s->count && s->items[i].param.id != set->param.id) { i++; }
        if (step->kind == CLI_STEP_RAMP && set->ns > 0) {
            if (i == STOPS_MAX) {
                fault(r, r->line, "more than %d parameters are on their way to a value at once", STOPS_MAX);
                return;
            }
            s->count += i == s->count;
            s->items[i] = (stop){set->param, set->value, s->now_ns, s->now_ns + set->ns, false};
        } else if (i < s->count) {
            s->items[i] = s->items[--s->count];
        }
    }
}

// The next one on the way there; NULL: there is none.
static stop *next_stop(stops *s, int64_t to_ns) {
    stop *next = NULL;
    for (uint32_t i = 0; i < s->count; i++) {
        stop *item = &s->items[i];
        if (item->made || item->at_ns <= s->now_ns || item->at_ns > to_ns) { continue; }
        if (next == NULL || item->at_ns < next->at_ns) { next = item; }
    }
    return next;
}

static void go_to(reader *r, stops *s, cli_step step, int64_t to_ns) {
    cli_script *script = r->script;
    stop *next;
    while (!r->no_memory && (next = next_stop(s, to_ns)) != NULL) {
        cli_step part = step;
        part.joined = true;
        part.ns = step.kind == CLI_STEP_SEEK ? next->at_ns : next->at_ns - s->now_ns;
        s->now_ns = next->at_ns;
        put_step(r, s, part);
        for (uint32_t i = 0; i < s->count; i++) { // all that stop there
            stop *item = &s->items[i];
            if (item->made || item->at_ns != s->now_ns) { continue; }
            item->made = true;
            script->sets = grown(r, script->sets, script->set_count, &script->set_capacity, sizeof *script->sets);
            if (r->no_memory) { return; }
            script->sets[script->set_count] = (cli_set){.param = item->param, .value = item->value};
            put_step(r, s, (cli_step){.kind = CLI_STEP_SET, .first_set = script->set_count++, .set_count = 1,
                                      .joined = true});
        }
    }
    if (step.kind == CLI_STEP_ADVANCE) { step.ns = to_ns - s->now_ns; }
    s->now_ns = to_ns;
    put_step(r, s, step);
}

// Steps that move the clock are parted where a ramp ends, which becomes a step of its own there.
static void place_stops(reader *r) {
    static const int64_t far_ns = (int64_t)1 << 62;
    cli_script *script = r->script;
    bool wanted = false;
    for (uint32_t i = 0; i < script->set_count; i++) { wanted = wanted || script->sets[i].ns > 0; }
    if (!wanted || r->faults > 0) { return; }
    stops *s = calloc(1, sizeof *s);
    r->no_memory = s == NULL;
    for (uint32_t i = 0; i < script->count && !r->no_memory; i++) {
        const cli_step step = script->steps[i];
        if (step.kind == CLI_STEP_ADVANCE) {
            go_to(r, s, step, step.ns < far_ns - s->now_ns ? s->now_ns + step.ns : far_ns);
        } else if (step.kind == CLI_STEP_SEEK) {
            go_to(r, s, step, step.ns);
        } else {
            begin_call(s);
            take_sets(r, s, &step);
            put_step(r, s, step);
        }
    }
    if (s != NULL && !r->no_memory) {
        free(script->steps);
        script->steps = s->steps;
        script->count = s->step_count;
        script->capacity = s->capacity;
    } else if (s != NULL) {
        free(s->steps);
    }
    free(s);
}

int cli_script_load(const char *path, const zo_program *program, cli_script *script) {
    *script = (cli_script){0};
    cli_bytes bytes;
    if (!cli_read_file(path, SCRIPT_BYTES_MAX, &bytes)) { return CLI_FILES; }
    const bool is_input = strcmp(path, "-") == 0;
    reader r = {.file = is_input ? "<stdin>" : path, .at = (const char *)bytes.data, .line = 1, .program = program,
                .script = script};
    int code = CLI_FINE;
    r.end = bytes.size > 0 ? r.at + bytes.size : r.at;
    r.text = script->texts = malloc(bytes.size + 1);
    if (zo_state_count(program) > 0) { r.scratch = zo_instance_create(program, NULL, NULL); }
    if (bytes.size > SCRIPT_BYTES_MAX) {
        cli_say("%s: a script has at most %zu bytes", r.file, SCRIPT_BYTES_MAX);
        code = CLI_INTERNAL;
    } else if (script->texts != NULL) {
        read_steps(&r);
        place_stops(&r);
    }
    if (r.faults > FAULTS_MAX) { cli_say("%s: and %u more", r.file, r.faults - FAULTS_MAX); }
    if (script->texts == NULL || r.no_memory) {
        cli_say("not enough memory for '%s'", r.file);
        code = CLI_INTERNAL;
    }
    zo_instance_free(r.scratch);
    cli_bytes_free(&bytes);
    return code == CLI_FINE && r.faults > 0 ? CLI_FAULTY : code;
}

void cli_script_free(cli_script *script) {
    free(script->steps);
    free(script->sets);
    free(script->texts);
    *script = (cli_script){0};
}

bool cli_has_graph(const zo_program *program) {
    zo_state_info state;
    return zo_state_get(program, (zo_state){1}, &state) && state.clip.id != 0;
}

bool cli_script_seeks(const cli_script *script) {
    bool seeks = false;
    for (uint32_t i = 0; i < script->count; i++) { seeks = seeks || script->steps[i].kind == CLI_STEP_SEEK; }
    return seeks;
}

bool cli_script_polls(const cli_script *script) {
    bool polls = false;
    for (uint32_t i = 0; i < script->count; i++) { polls = polls || script->steps[i].kind == CLI_STEP_POLL; }
    return polls;
}

int64_t cli_script_end_ns(const cli_script *script) {
    static const int64_t far_ns = (int64_t)1 << 62;
    int64_t end_ns = 0;
    for (uint32_t i = 0; i < script->count; i++) {
        const int64_t ns = script->steps[i].kind == CLI_STEP_ADVANCE ? script->steps[i].ns : 0;
        end_ns = ns < far_ns - end_ns ? end_ns + ns : far_ns;
    }
    return end_ns;
}

// From where it stands to where it is to come to.
static double slope_of(const cli_set *set, const zo_instance *instance) {
    return set->ns > 0 ? (set->value - zo_instance_param(instance, set->param)) / ((double)set->ns / 1e9) : set->slope;
}

#define STATUS_OF(step) \
    .type = (step)->text, .source = (step)->source, .tool = (step)->tool, .stamped = (step)->stamped, \
        .stamp_ns = (step)->ns

bool cli_step_apply(const cli_script *script, const cli_step *step, zo_instance *instance) {
    switch (step->kind) {
    case CLI_STEP_ADVANCE:
    case CLI_STEP_SEEK: break;
    case CLI_STEP_REQUEST: return zo_instance_request(instance, step->text);
    case CLI_STEP_EVENT: return zo_instance_status(instance, &(zo_status_event){STATUS_OF(step)});
    case CLI_STEP_CLICK: return zo_instance_click(instance);
    case CLI_STEP_PLAY:
        if (zo_instance_state(instance, &(zo_target_state){0})) {
            return zo_instance_play(instance, step->text, step->on);
        }
        return zo_instance_start(instance, step->clip, &(zo_run_def){0}).id != 0;
    case CLI_STEP_FLASH: return zo_instance_flash(instance, step->cel, step->ms);
    case CLI_STEP_SET:
        for (uint32_t s = step->first_set; s < step->first_set + step->set_count; s++) {
            const cli_set *set = &script->sets[s];
            if (set->is_line) {
                zo_instance_set_param_line(instance, set->param, set->value, set->slope);
            } else {
                zo_instance_set_param(instance, set->param, set->value);
            }
        }
        break;
    case CLI_STEP_RAMP:
        for (uint32_t s = step->first_set; s < step->first_set + step->set_count; s++) {
            zo_instance_ramp_param(instance, script->sets[s].param, slope_of(&script->sets[s], instance));
        }
        break;
    case CLI_STEP_POLL: return zo_instance_poll(instance, step->seconds);
    case CLI_STEP_HIDDEN: zo_instance_set_hidden(instance, step->on); break;
    case CLI_STEP_REDUCED_MOTION: zo_instance_set_reduced_motion(instance, step->on); break;
    case CLI_STEP_TRIGGER: return zo_instance_trigger(instance, step->text, step->on);
    case CLI_STEP_RELEASE: return zo_instance_release(instance, step->on);
    case CLI_STEP_SPEAKING: zo_instance_speaking(instance, step->on); break;
    case CLI_STEP_MOUTH: zo_instance_set_mouth(instance, step->level); break;
    }
    return true;
}

static zo_input input_of(const cli_step *step, bool states) {
    static const zo_input_kind kinds[] = {
        [CLI_STEP_REQUEST] = ZO_INPUT_REQUEST, [CLI_STEP_EVENT] = ZO_INPUT_STATUS, [CLI_STEP_CLICK] = ZO_INPUT_CLICK,
        [CLI_STEP_PLAY] = ZO_INPUT_PLAY, [CLI_STEP_FLASH] = ZO_INPUT_FLASH, [CLI_STEP_SET] = ZO_INPUT_SET_PARAM,
        [CLI_STEP_HIDDEN] = ZO_INPUT_SET_HIDDEN, [CLI_STEP_REDUCED_MOTION] = ZO_INPUT_SET_REDUCED_MOTION,
        [CLI_STEP_TRIGGER] = ZO_INPUT_TRIGGER, [CLI_STEP_RELEASE] = ZO_INPUT_RELEASE,
        [CLI_STEP_SPEAKING] = ZO_INPUT_SPEAKING, [CLI_STEP_MOUTH] = ZO_INPUT_SET_MOUTH,
        [CLI_STEP_RAMP] = ZO_INPUT_RAMP_PARAM, [CLI_STEP_POLL] = ZO_INPUT_POLL};
    zo_input input = {.kind = kinds[step->kind], .on = step->on, .text = step->text, .number = step->ms};
    if (step->kind == CLI_STEP_EVENT) { input.status = (zo_status_event){STATUS_OF(step)}; }
    if (step->kind == CLI_STEP_FLASH) { input.id = step->cel.id; }
    if (step->kind == CLI_STEP_MOUTH) { input.number = step->level; }
    if (step->kind == CLI_STEP_POLL) { input.number = step->seconds; }
    if (step->kind == CLI_STEP_PLAY && !states) {
        input.kind = ZO_INPUT_START;
        input.id = step->clip.id;
    }
    return input;
}

zo_status cli_step_add(const cli_script *script, const cli_step *step, zo_timeline *timeline, bool *done) {
    zo_input input = input_of(step, zo_instance_state(zo_timeline_instance(timeline), &(zo_target_state){0}));
    const bool sets = step->kind == CLI_STEP_SET || step->kind == CLI_STEP_RAMP;
    const uint32_t count = sets ? step->set_count : 1;
    zo_status status = ZO_OK;
    *done = true;
    for (uint32_t i = 0; i < count && status == ZO_OK; i++) {
        uint32_t result = 0;
        if (sets) {
            const cli_set *set = &script->sets[step->first_set + i];
            if (set->is_line) { input.kind = ZO_INPUT_SET_PARAM_LINE; }
            if (step->kind == CLI_STEP_SET && !set->is_line) { input.kind = ZO_INPUT_SET_PARAM; }
            input.id = set->param.id;
            input.number = set->value;
            input.slope = set->is_line ? set->slope : slope_of(set, zo_timeline_instance(timeline));
        }
        status = zo_timeline_add(timeline, &input, &result);
        *done = *done && result != 0;
    }
    return status;
}
