// The director of slots. Sources say what they are at; what they say is merged by rank, waits for quiet, and becomes
// the target: a state and an activity. A new target plays the state's enter, which exchanges the picture at its swap,
// and then what the state plays beside. Clicks, pictures held for a while and clips played from outside lie over it.
// Nothing is queued: the newest target wins. Called by api and by the runtime; must not know how runs move anything.
#include "director/director.h"

#include "base/random.h"

enum { SOURCES_MAX = 16 };
#define NEVER INT64_MAX

typedef enum owner { OWNER_HOST = 0, OWNER_ENTER, OWNER_LANE, OWNER_CLICK, OWNER_OUTSIDE } owner;

typedef struct target {
    uint32_t state;       // STATES
    zp_name activity;
} target;

typedef struct source {
    uint64_t key;         // hash of its name
    int64_t stamp_ns;     // of what it said last
    uint64_t arrival;     // 0: this place is free
    uint32_t counts;      // 0: it is spent, or too old
    uint32_t reserved;
    target says;
} source;

typedef enum pending { PENDING_NONE = 0, PENDING_TARGET, PENDING_DISMISSAL } pending;
typedef enum held { HELD_NONE = 0, HELD_FLASH, HELD_OUTSIDE } held;

typedef struct slots {
    uint32_t started;
    target now;
    uint64_t generation;  // of enters and silent swaps
    uint32_t enter_run;   // 0: none
    uint32_t lane_plays[ZP_LANES_MAX]; // play + 1 that was started last, though it may be over; 0: none
    uint32_t lane_runs[ZP_LANES_MAX];

    uint32_t click_run;   // the newest
    uint32_t click_swapped; // it has shown a picture
    uint64_t click_generation;

    uint32_t outside_run;
    uint32_t held;        // enum held
    uint32_t held_cel_ref;
    uint32_t reserved;
    int64_t held_end_ns;  // on the clock of motion

    int64_t hold_end_ns;  // of a state that ends by itself
    uint32_t pending;     // enum pending
    target wanted;        // PENDING_TARGET
    uint32_t reserved2;
    int64_t pending_first_ns, pending_last_ns;

    target merged;        // what the sources said when last asked
    uint64_t arrivals;
    source sources[SOURCES_MAX];
} slots;
_Static_assert(sizeof(slots) % 8 == 0 && sizeof(source) == 40, "no padding: equal states are equal bytes");

static slots *slots_of(const zo_instance *instance) { return zr_director_state(instance); }
static const zp_director *record_of(const zo_instance *instance) { return instance->program->directors; }
static const zp_machine *machine_of(const zo_instance *instance) {
    return &instance->program->machines[record_of(instance)->machine];
}
static const zp_state *state_of(const zo_instance *instance, uint32_t state) {
    return &instance->program->states[state];
}
static const zp_slot *slot_of(const zo_instance *instance, uint32_t state) {
    return &instance->program->slots[record_of(instance)->first_slot + state - machine_of(instance)->first_state];
}
static bool has_flag(const zo_instance *instance, uint32_t flag) { return (record_of(instance)->flags & flag) != 0; }
static bool ends(const zo_instance *instance, uint32_t state) {
    return (slot_of(instance, state)->flags & ZP_SLOT_ENDS) != 0;
}
static bool same(target a, target b) { return a.state == b.state && a.activity == b.activity; }

// ---------------------------------------------------------------------------------------------------- what is played

static void cancel(zo_instance *instance, uint32_t run_id) {
    zr_run *run = run_id != 0 ? zr_run_find(instance, run_id) : NULL;
    if (run) { zr_run_remove(instance, run, ZO_END_CANCELLED); }
}

static uint32_t own_picture(const zo_instance *instance) { // of the target; 0: there is none
    return zr_cel_there(instance, state_of(instance, slots_of(instance)->now.state)->cel_ref);
}

static void stop_lanes(zo_instance *instance) {
    slots *s = slots_of(instance);
    for (uint32_t lane = 0; lane < ZP_LANES_MAX; ++lane) {
        cancel(instance, s->lane_runs[lane]);
        s->lane_plays[lane] = s->lane_runs[lane] = 0;
    }
}

// What plays beside becomes what the target wants; a lane that plays it already goes on.
static void refresh_lane(zo_instance *instance, uint32_t lane) {
    slots *s = slots_of(instance);
    const zp_state *state = state_of(instance, s->now.state);
    const bool wanted = !instance->reduced_motion && lane < state->play_count && own_picture(instance) != 0;
    const uint32_t play_ref = wanted ? instance->program->words[state->first_play + lane] : 0;
    if (play_ref == s->lane_plays[lane]) { return; }
    cancel(instance, s->lane_runs[lane]);
    s->lane_plays[lane] = play_ref;
    s->lane_runs[lane] = play_ref != 0 ? zr_play_start(instance, play_ref, OWNER_LANE, 0) : 0;
}

static void refresh_lanes(zo_instance *instance) {
    for (uint32_t lane = 0; lane < ZP_LANES_MAX; ++lane) { refresh_lane(instance, lane); }
}

// Whatever enter is running is over, and nothing of it will come any more.
static void invalidate(zo_instance *instance) {
    slots *s = slots_of(instance);
    ++s->generation;
    const uint32_t run = s->enter_run;
    s->enter_run = 0;
    cancel(instance, run);
}

static void settle(zo_instance *instance) {
    zr_show(instance, own_picture(instance));
    refresh_lanes(instance);
}

static void release(slots *s) {
    s->held = HELD_NONE;
    s->held_cel_ref = 0;
    s->held_end_ns = 0;
}

static void clear_pending(slots *s) {
    s->pending = PENDING_NONE;
    s->wanted = (target){0};
    s->pending_first_ns = s->pending_last_ns = 0;
}

static void enter(zo_instance *instance, uint32_t play_ref) {
    slots *s = slots_of(instance);
    invalidate(instance);
    stop_lanes(instance);
    if (own_picture(instance) == 0) {
        zr_show(instance, 0);
    } else if (play_ref != 0) {
        s->enter_run = zr_play_start(instance, play_ref, OWNER_ENTER, 0);
    } else {
        settle(instance);
    }
}

static uint32_t enter_play(const zo_instance *instance, uint32_t state) {
    const zp_machine *machine = machine_of(instance);
    for (uint32_t i = 0; i < machine->edge_count; ++i) {
        const zp_edge *edge = &instance->program->edges[machine->first_edge + i];
        if (edge->to == state && edge->when == ZP_WHEN_REQUEST) { return edge->enter_ref; }
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------------- targets

static bool same_group(const zo_instance *instance, uint32_t a, uint32_t b) {
    return state_of(instance, a)->group == state_of(instance, b)->group;
}

static void take(zo_instance *instance, target wanted) {
    slots *s = slots_of(instance);
    const zp_director *record = record_of(instance);
    const bool other_group = !s->started || !same_group(instance, s->now.state, wanted.state);
    if (!other_group && (record->flags & ZP_DIRECTOR_KEEP_SLOT)) { wanted.state = s->now.state; }
    const bool other_slot = s->now.state != wanted.state;
    s->started = 1;
    s->now = wanted;
    s->hold_end_ns = NEVER;
    if (ends(instance, wanted.state) && !(record->flags & ZP_DIRECTOR_UNTIL_CLICK)) {
        s->hold_end_ns = instance->now_ns + slot_of(instance, wanted.state)->hold_ns;
    }
    zr_tell(instance, (zr_notice){.kind = ZR_NOTICE_STATE, .clip = wanted.activity, .value = wanted.state});
    if (!other_group && !other_slot) {
        if (s->enter_run == 0) { refresh_lanes(instance); } // else at its end
        return;
    }
    release(s);
    if (!other_group && record->swap == ZP_SWAP_SILENT) {
        invalidate(instance);
        settle(instance);
    } else {
        const bool by_swap = !other_group && record->swap == ZP_SWAP_PLAY;
        enter(instance, by_swap ? record->swap_play_ref : enter_play(instance, wanted.state));
    }
}

static bool is_there(const zo_instance *instance, target wanted) {
    const target now = slots_of(instance)->now;
    return same_group(instance, now.state, wanted.state) && now.activity == wanted.activity;
}

static void start(zo_instance *instance) {
    slots *s = slots_of(instance);
    const uint32_t first = machine_of(instance)->start;
    s->merged = (target){first, state_of(instance, first)->activity};
    instance->cel_ref = 0; // until the swap of the first enter
    take(instance, s->merged);
}

void zr_slots_request(zo_instance *instance, uint32_t state) {
    clear_pending(slots_of(instance));
    const target wanted = {state, state_of(instance, state)->activity};
    if (!is_there(instance, wanted)) { take(instance, wanted); }
}

zr_target zr_slots_target(const zo_instance *instance) {
    const target now = slots_of(instance)->now;
    if (!instance->awake) { return (zr_target){machine_of(instance)->start, 0}; }
    return (zr_target){now.state, now.activity};
}

// ---------------------------------------------------------------------------------------------------- sources

static int64_t expiry_of(const zo_instance *instance, const source *from) { // NEVER: it counts for ever
    const int64_t fresh_ns = slot_of(instance, from->says.state)->fresh_ns;
    return fresh_ns < 0 ? NEVER : from->stamp_ns + fresh_ns;
}

static bool is_newer(const source *a, const source *b) {
    return a->stamp_ns != b->stamp_ns ? a->stamp_ns > b->stamp_ns : a->arrival > b->arrival;
}

// Of those that count the highest rank, of equals the newest; but what overtakes also comes before a higher rank that
// is strictly older.
static target merge(const zo_instance *instance) {
    const slots *s = slots_of(instance);
    const source *best = NULL, *overtaker = NULL;
    for (uint32_t i = 0; i < SOURCES_MAX; ++i) {
        const source *from = &s->sources[i];
        if (!from->counts || instance->now_ns >= expiry_of(instance, from)) { continue; }
        const zp_slot *slot = slot_of(instance, from->says.state);
        const uint32_t rank = slot->rank, best_rank = best ? slot_of(instance, best->says.state)->rank : 0;
        if (!best || rank > best_rank || (rank == best_rank && is_newer(from, best))) { best = from; }
        if ((slot->flags & ZP_SLOT_OVERTAKES) && (!overtaker || is_newer(from, overtaker))) { overtaker = from; }
    }
    if (overtaker && overtaker->stamp_ns > best->stamp_ns) { best = overtaker; }
    const uint32_t first = machine_of(instance)->start;
    return best ? best->says : (target){first, state_of(instance, first)->activity};
}

// What waits for quiet. One that is dropped prolongs nothing.
static void offer(zo_instance *instance, pending kind, target wanted) {
    slots *s = slots_of(instance);
    const bool over = ends(instance, s->now.state) || (s->pending == PENDING_TARGET && ends(instance, s->wanted.state));
    if (kind == PENDING_TARGET && wanted.state == machine_of(instance)->start && over) { return; }
    if (kind == PENDING_DISMISSAL && (!ends(instance, s->now.state) || s->pending != PENDING_NONE)) { return; }
    if (s->pending == PENDING_NONE) { s->pending_first_ns = instance->now_ns; }
    s->pending = kind;
    s->wanted = wanted;
    s->pending_last_ns = instance->now_ns;
}

// Whether the merge would be the same without it: what it said is spent, or is what holds where nobody says anything.
static bool says_nothing(const zo_instance *instance, const source *from) {
    return !from->counts || from->says.state == machine_of(instance)->start;
}

// The place of a source: its own, a free one, that of the one that has said nothing for longest, or has been silent so.
static source *place_of(const zo_instance *instance, uint64_t key) {
    slots *s = slots_of(instance);
    source *least = NULL;
    for (uint32_t i = 0; i < SOURCES_MAX; ++i) {
        source *place = &s->sources[i];
        if (place->arrival != 0 && place->key == key) { return place; }
        const bool nothing = says_nothing(instance, place), least_nothing = least && says_nothing(instance, least);
        if (!least || nothing > least_nothing || (nothing == least_nothing && place->arrival < least->arrival)) {
            least = place;
        }
    }
    return least;
}

static bool is_text(const zo_instance *instance, zp_name name, const char *text) {
    return strcmp(zp_name_text(instance->program, name), text ? text : "") == 0;
}

static const zp_signal *find_signal(const zo_instance *instance, const zo_status_event *event) {
    const zp_director *record = record_of(instance);
    for (uint32_t i = 0; i < record->signal_count; ++i) {
        const zp_signal *signal = &instance->program->signals[record->first_signal + i];
        if (!is_text(instance, signal->type, event->type)) { continue; }
        if (signal->tool == 0 || is_text(instance, signal->tool, event->tool)) { return signal; }
    }
    return NULL;
}

bool zr_slots_status(zo_instance *instance, const zo_status_event *event) {
    const zp_signal *signal = find_signal(instance, event);
    if (!signal) { return false; }
    slots *s = slots_of(instance);
    if (signal->state_ref == 0) {
        offer(instance, PENDING_DISMISSAL, (target){0});
        return true;
    }
    const char *name = event->source ? event->source : "";
    const uint64_t key = zb_hash_bytes(name, strlen(name), 0);
    // Far enough from the ends that nothing overflows.
    const int64_t far_ns = ZR_CLOCK_NS_MAX;
    const int64_t stamp_ns = !event->stamped            ? instance->now_ns
                             : event->stamp_ns > far_ns  ? far_ns
                             : event->stamp_ns < -far_ns ? -far_ns
                                                         : event->stamp_ns;
    source *from = place_of(instance, key);
    *from = (source){.key = key, .stamp_ns = stamp_ns,
                     .arrival = ++s->arrivals, .counts = 1,
                     .says = {signal->state_ref - 1, signal->activity}};
    s->merged = merge(instance);
    offer(instance, PENDING_TARGET, s->merged);
    return true;
}

// What ends is spent in every source, and what they then say is taken at once. `all`: each state that ends by itself,
// else the one on show.
static void spend(zo_instance *instance, bool all) {
    slots *s = slots_of(instance);
    for (uint32_t i = 0; i < SOURCES_MAX; ++i) {
        source *from = &s->sources[i];
        if (!from->counts) { continue; }
        if (all ? ends(instance, from->says.state) : from->says.state == s->now.state) { from->counts = 0; }
    }
    s->merged = merge(instance);
    take(instance, s->merged);
}

// ---------------------------------------------------------------------------------------------------- timers

// In the order in which they are done at one instant.
typedef enum timer { TIMER_QUIET, TIMER_HOLD, TIMER_FLASH, TIMER_EXPIRY, TIMER_COUNT } timer;

static int64_t quiet_ns(const zo_instance *instance) {
    const slots *s = slots_of(instance);
    const zp_director *record = record_of(instance);
    if (s->pending == PENDING_NONE) { return NEVER; }
    const int64_t quiet = s->pending_last_ns + record->quiet_ns, patience = s->pending_first_ns + record->patience_ns;
    return quiet < patience ? quiet : patience;
}

static int64_t flash_ns(const zo_instance *instance) {
    const slots *s = slots_of(instance);
    if (s->held != HELD_FLASH || s->held_end_ns == NEVER) { return NEVER; }
    if (instance->hidden) { return s->held_end_ns <= instance->hidden_ns ? instance->now_ns : NEVER; }
    return s->held_end_ns;
}

static int64_t next_expiry_ns(const zo_instance *instance) {
    const slots *s = slots_of(instance);
    int64_t first = NEVER;
    for (uint32_t i = 0; i < SOURCES_MAX; ++i) {
        if (!s->sources[i].counts) { continue; }
        const int64_t at_ns = expiry_of(instance, &s->sources[i]);
        if (at_ns < first) { first = at_ns; }
    }
    return first;
}

static timer first_timer(const zo_instance *instance, int64_t *at_ns) {
    const int64_t times[TIMER_COUNT] = {
        [TIMER_QUIET] = quiet_ns(instance),
        [TIMER_HOLD] = slots_of(instance)->hold_end_ns,
        [TIMER_FLASH] = flash_ns(instance),
        [TIMER_EXPIRY] = next_expiry_ns(instance),
    };
    timer first = TIMER_QUIET;
    for (uint32_t i = 0; i < TIMER_COUNT; ++i) {
        // What a time stamp puts into the past is due now like the rest.
        const int64_t time = times[i] > instance->now_ns ? times[i] : instance->now_ns;
        if (i == 0 || time < *at_ns) {
            *at_ns = time;
            first = (timer)i;
        }
    }
    return first;
}

static int64_t next_ns(const zo_instance *instance) {
    int64_t at_ns = NEVER;
    first_timer(instance, &at_ns);
    return at_ns;
}

static void be_quiet(zo_instance *instance) {
    slots *s = slots_of(instance);
    const pending kind = (pending)s->pending;
    const target wanted = s->wanted;
    clear_pending(s);
    if (kind == PENDING_DISMISSAL) {
        if (ends(instance, s->now.state)) { spend(instance, true); }
        return;
    }
    if (!is_there(instance, wanted)) { take(instance, wanted); }
}

static void expire(zo_instance *instance) {
    slots *s = slots_of(instance);
    for (uint32_t i = 0; i < SOURCES_MAX; ++i) {
        source *from = &s->sources[i];
        if (from->counts && instance->now_ns >= expiry_of(instance, from)) { from->counts = 0; }
    }
    const target merged = merge(instance);
    if (same(merged, s->merged)) { return; }
    s->merged = merged;
    offer(instance, PENDING_TARGET, merged);
}

static void on_timer(zo_instance *instance) {
    int64_t at_ns;
    switch (first_timer(instance, &at_ns)) {
    case TIMER_QUIET: be_quiet(instance); break;
    case TIMER_HOLD: spend(instance, false); break;
    case TIMER_FLASH:
        release(slots_of(instance));
        zr_show(instance, own_picture(instance));
        break;
    case TIMER_EXPIRY: expire(instance); break;
    case TIMER_COUNT: break;
    }
}

static void on_shift(zo_instance *instance, int64_t ns) {
    slots *s = slots_of(instance);
    if (s->held == HELD_FLASH && s->held_end_ns != NEVER) { s->held_end_ns += ns; }
}

// --------------------------------------------------------------------------------------------------- what lies over it

void zr_slots_click(zo_instance *instance) {
    slots *s = slots_of(instance);
    const zp_director *record = record_of(instance);
    if (record->flags & ZP_DIRECTOR_UNTIL_CLICK) { offer(instance, PENDING_DISMISSAL, (target){0}); }
    const uint32_t cel_ref = zr_cel_there(instance, record->click_cel_ref);
    if (cel_ref != 0) { zr_show(instance, cel_ref); }
    s->click_run = record->click_play_ref != 0 ? zr_play_start(instance, record->click_play_ref, OWNER_CLICK, 0) : 0;
    s->click_swapped = cel_ref != 0;
    s->click_generation = s->generation;
}

// An enter that is running gives way to what comes from outside.
static void give_way(zo_instance *instance) {
    if (slots_of(instance)->enter_run == 0) { return; }
    invalidate(instance);
    settle(instance);
}

bool zr_slots_flash(zo_instance *instance, uint32_t cel_ref, int64_t hold_ns) {
    slots *s = slots_of(instance);
    cel_ref = zr_cel_there(instance, cel_ref);
    if (cel_ref == 0) { return false; }
    give_way(instance);
    s->held = HELD_FLASH;
    s->held_cel_ref = cel_ref;
    s->held_end_ns = hold_ns > 0 ? zr_motion_ns(instance) + hold_ns : NEVER;
    zr_show(instance, cel_ref);
    return true;
}

static void outside_over(zo_instance *instance) {
    slots *s = slots_of(instance);
    s->outside_run = 0;
    if (s->held != HELD_OUTSIDE) { return; }
    release(s);
    zr_show(instance, own_picture(instance));
}

bool zr_slots_play(zo_instance *instance, uint32_t clip, bool interrupt) {
    slots *s = slots_of(instance);
    if (!interrupt && (s->enter_run != 0 || s->outside_run != 0)) { return false; }
    give_way(instance);
    if (s->outside_run != 0) {
        cancel(instance, s->outside_run);
        outside_over(instance);
    }
    const zo_run_def as_written = {0};
    s->outside_run = zr_run_start(instance, &(zr_start){.clip = clip, .owner = OWNER_OUTSIDE}, &as_written);
    return s->outside_run != 0;
}

void zr_slots_refresh(zo_instance *instance) {
    if (slots_of(instance)->enter_run == 0) { refresh_lanes(instance); }
}

static uint32_t on_cel(zo_instance *instance, const zr_run *run, uint32_t named_ref) {
    slots *s = slots_of(instance);
    uint32_t cel_ref = named_ref;
    switch ((owner)run->owner) {
    case OWNER_ENTER: cel_ref = state_of(instance, s->now.state)->cel_ref; break;
    case OWNER_CLICK:
        if (!has_flag(instance, ZP_DIRECTOR_CLICK_SWAPS)) { return 0; }
        break;
    case OWNER_LANE: return 0;
    case OWNER_OUTSIDE: break;
    case OWNER_HOST:
        if (cel_ref == 0) { cel_ref = run->cel_ref; }
        break;
    }
    cel_ref = zr_cel_there(instance, cel_ref);
    if (cel_ref == 0) { return 0; }
    if (run->id == s->click_run) { s->click_swapped = 1; }
    if (run->owner == OWNER_OUTSIDE) {
        s->held = HELD_OUTSIDE;
        s->held_cel_ref = cel_ref;
        s->held_end_ns = 0;
    }
    zr_show(instance, cel_ref);
    return cel_ref;
}

static void click_over(zo_instance *instance, zo_end end) {
    slots *s = slots_of(instance);
    const bool returns = end == ZO_END_FINISHED && s->click_swapped && s->click_generation == s->generation;
    s->click_run = s->click_swapped = 0;
    s->click_generation = 0;
    if (returns) { zr_show(instance, s->held != HELD_NONE ? s->held_cel_ref : own_picture(instance)); }
}

static void on_end(zo_instance *instance, const zr_run *run, zo_end end) {
    slots *s = slots_of(instance);
    switch ((owner)run->owner) {
    case OWNER_ENTER:
        if (run->id != s->enter_run) { break; }
        s->enter_run = 0;
        if (end == ZO_END_FINISHED) {
            refresh_lanes(instance);
        } else {
            zr_show(instance, own_picture(instance)); // nobody asked for another: it is as if it had been settled
        }
        break;
    case OWNER_LANE:
        for (uint32_t lane = 0; lane < ZP_LANES_MAX; ++lane) {
            if (s->lane_runs[lane] == run->id) { s->lane_runs[lane] = 0; } // its play stays: it is not started again
        }
        break;
    case OWNER_CLICK:
        if (run->id == s->click_run) { click_over(instance, end); }
        break;
    case OWNER_OUTSIDE:
        if (run->id == s->outside_run) { outside_over(instance); }
        break;
    case OWNER_HOST: break;
    }
}

static bool needs(const zr_run *run) { return run->owner == OWNER_ENTER || run->owner == OWNER_LANE; }

// ---------------------------------------------------------------------------------------------------- after a reload

// What the same words say in another program. false: it has no such state.
static bool same_target(const zo_instance *instance, const zo_instance *old, target from, target *to) {
    const uint32_t state_ref = zr_same_ref(instance->program, old->program, ZP_SECTION_STATES, from.state);
    if (state_ref == 0) { return false; }
    *to = (target){state_ref - 1, zr_same_name(instance->program, old->program, from.activity)};
    return true;
}

static void adopt_sources(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    slots *s = slots_of(instance);
    const slots *was = slots_of(old);
    s->arrivals = was->arrivals;
    for (uint32_t i = 0; i < SOURCES_MAX; ++i) {
        source *from = &s->sources[i];
        *from = was->sources[i];
        if (from->arrival == 0 || same_target(instance, old, from->says, &from->says)) { continue; }
        if (from->counts) {
            zr_tell_gone(adoption, ZO_GONE_STATE, old->program, state_of(old, from->says.state)->name, 0);
        }
        *from = (source){0};
    }
}

// A run that has been carried over, or 0.
static uint32_t same_run(const zo_instance *instance, uint32_t run) {
    return run != 0 && zr_run_find(instance, run) ? run : 0;
}

static bool same_play(const zp_program *a, uint32_t play_ref, const zp_program *b, uint32_t other_ref) {
    if (play_ref == 0 || other_ref == 0) { return play_ref == other_ref; }
    const zp_play *play = &a->plays[play_ref - 1], *other = &b->plays[other_ref - 1];
    return strcmp(zp_name_text(a, a->clips[play->clip].name), zp_name_text(b, b->clips[other->clip].name)) == 0 &&
           play->flags == other->flags && play->repeat == other->repeat && play->duration_ns == other->duration_ns &&
           play->delay_min == other->delay_min && play->delay_max == other->delay_max &&
           play->value_count == other->value_count &&
           memcmp(&a->numbers[play->first_value], &b->numbers[other->first_value],
                  play->value_count * sizeof(double)) == 0;
}

static uint32_t lane_play(const zo_instance *instance, uint32_t state, uint32_t lane) { // as the state says; 0: none
    const zp_state *record = state_of(instance, state);
    return lane < record->play_count ? instance->program->words[record->first_play + lane] : 0;
}

// Lanes of which the state says what it said before stay as they are; with `refreshes` the others become what it says
// now.
static void adopt_lanes(zo_instance *instance, const zo_instance *old, bool refreshes) {
    slots *s = slots_of(instance);
    const slots *was = slots_of(old);
    for (uint32_t lane = 0; lane < ZP_LANES_MAX; ++lane) {
        const uint32_t play_ref = lane_play(instance, s->now.state, lane);
        const uint32_t was_ref = lane_play(old, was->now.state, lane);
        const uint32_t run = same_run(instance, was->lane_runs[lane]);
        const bool lost = run == 0 && was->lane_runs[lane] != 0;
        if (!lost && same_play(instance->program, play_ref, old->program, was_ref)) {
            s->lane_plays[lane] = was->lane_plays[lane] != 0 ? play_ref : 0;
            s->lane_runs[lane] = run;
            if (run != 0) { zr_run_find(instance, run)->mix_ref = instance->program->plays[play_ref - 1].mix_ref; }
        } else {
            cancel(instance, run);
            if (refreshes) { refresh_lane(instance, lane); }
        }
    }
}

static void cancel_lanes(zo_instance *instance, const slots *was) {
    for (uint32_t lane = 0; lane < ZP_LANES_MAX; ++lane) { cancel(instance, was->lane_runs[lane]); }
}

// What lies over it: a click, what is played from outside, a picture that is held.
static void adopt_overlays(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    slots *s = slots_of(instance);
    const slots *was = slots_of(old);
    s->click_run = same_run(instance, was->click_run);
    if (s->click_run == was->click_run) {
        s->click_swapped = was->click_swapped;
        s->click_generation = was->click_generation;
    }
    s->outside_run = same_run(instance, was->outside_run);
    if (was->held == HELD_NONE || (was->held == HELD_OUTSIDE && s->outside_run == 0)) { return; }
    const uint32_t cel_ref = zr_adopt_cel(instance, old, was->held_cel_ref, 0, adoption);
    if (cel_ref == 0) { return; }
    s->held = was->held;
    s->held_cel_ref = cel_ref;
    s->held_end_ns = was->held_end_ns;
}

static void adopt_pending(zo_instance *instance, const zo_instance *old) {
    slots *s = slots_of(instance);
    const slots *was = slots_of(old);
    if (was->pending == PENDING_NONE) { return; }
    if (was->pending == PENDING_TARGET && !same_target(instance, old, was->wanted, &s->wanted)) { return; }
    s->pending = was->pending;
    s->pending_first_ns = was->pending_first_ns;
    s->pending_last_ns = was->pending_last_ns;
}

static void adopt_hold(zo_instance *instance, const zo_instance *old) {
    slots *s = slots_of(instance);
    const int64_t was_end_ns = slots_of(old)->hold_end_ns;
    s->hold_end_ns = NEVER;
    if (!ends(instance, s->now.state) || has_flag(instance, ZP_DIRECTOR_UNTIL_CLICK)) { return; }
    s->hold_end_ns = was_end_ns != NEVER ? was_end_ns
                                         : instance->now_ns + slot_of(instance, s->now.state)->hold_ns;
}

// Whether this run has a picture still to exchange. 0: there is no such run.
static bool has_swap_to_come(const zo_instance *instance, uint32_t run_id) {
    const zr_run *run = run_id != 0 ? zr_run_find(instance, run_id) : NULL;
    if (!run) { return false; }
    const zp_clip *clip = &instance->program->clips[run->clip];
    for (uint32_t i = run->next_event; i < clip->event_count; ++i) {
        if (instance->program->events[clip->first_event + i].action == ZP_ACTION_SHOW_CEL) { return true; }
    }
    return false;
}

static void adopt(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    slots *s = slots_of(instance);
    *s = (slots){0};
    if (!old) {
        start(instance);
        return;
    }
    const slots *was = slots_of(old);
    const bool showed_own = old->cel_ref == own_picture(old);
    const bool showed_held = was->held != HELD_NONE && old->cel_ref != 0 && old->cel_ref == was->held_cel_ref;
    const bool lost_picture = old->cel_ref != 0 &&
                              zr_same_ref(instance->program, old->program, ZP_SECTION_CELS, old->cel_ref - 1) == 0;
    s->generation = was->generation;
    adopt_sources(instance, old, adoption);
    const bool stays = same_target(instance, old, was->now, &s->now);
    s->started = stays;
    adopt_overlays(instance, old, adoption);
    adopt_pending(instance, old);
    if (old->cel_ref == 0) { instance->cel_ref = 0; }
    const uint32_t enter_run = same_run(instance, was->enter_run);
    if (!stays) {
        zr_tell_gone(adoption, ZO_GONE_STATE, old->program, state_of(old, was->now.state)->name, 0);
        cancel(instance, enter_run);
        cancel_lanes(instance, was);
        s->merged = merge(instance);
        take(instance, s->merged);
        return;
    }
    const bool same_merged = same_target(instance, old, was->merged, &s->merged);
    const target merged = merge(instance);
    if (!same_merged || !same(merged, s->merged)) { // what a source wanted is gone
        s->merged = merged;
        offer(instance, PENDING_TARGET, merged);
    }
    adopt_hold(instance, old);
    s->enter_run = enter_run;
    adopt_lanes(instance, old, enter_run == 0);
    if (was->enter_run != 0 && enter_run == 0) { refresh_lanes(instance); } // an enter that is gone is over
    if (showed_held && s->held != HELD_NONE) { return; }
    // An enter that is gone, or whose swap lies behind it now without having come, will not show it any more.
    const bool missed_swap = was->enter_run != 0 && (enter_run == 0 || (has_swap_to_come(old, was->enter_run) &&
                                                                       !has_swap_to_come(instance, enter_run)));
    if (showed_own || lost_picture || showed_held || missed_swap) {
        zr_show(instance, own_picture(instance));
    }
}

const zr_director zr_director_of_slots = {
    .size = sizeof(slots), .start = start, .next_ns = next_ns, .on_timer = on_timer, .on_cel = on_cel, .on_end = on_end,
    .on_shift = on_shift, .needs = needs, .adopt = adopt,
};

const zr_director *zr_director_of(const zp_program *program) {
    if (zp_count(program, ZP_SECTION_DIRECTORS) == 0) { return NULL; }
    return program->directors[0].kind == ZP_DIRECTOR_SPEECH ? &zr_director_of_speech : &zr_director_of_slots;
}
