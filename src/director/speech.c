// The director of speech. Somebody begins to speak: the character goes from whatever it does into a performance. He
// stops: the frame with the shut mouth is held for a while, and then the character goes back, by way of what it has
// expressed. What is asked for meanwhile is understood by other words and by groups, and may wait until that is over.
// Called by api and by the runtime; which labels mean what is the program's affair (zp_speech).
#include "base/utf8.h"
#include "director/director.h"

#define NEVER INT64_MAX

typedef enum held {
    HELD_NONE = 0,
    HELD_WAIT,  // the last frame of a way into speech, until there is some
    HELD_AFTER, // the shut mouth, after speech
} held;

typedef struct speech {
    uint32_t held;          // enum held
    uint32_t back;          // HELD_AFTER: the state that follows, STATES
    int64_t hold_end_ns;    // HELD_AFTER: on the clock of motion
    uint32_t deferred;      // 1: something is asked for then in place of `back`
    uint32_t deferred_ref;  // voice + 1; 0: what has no voice, which is told then
    uint32_t intent_ref;    // intent + 1 of what was asked for last while speaking
    uint32_t after_ref;     // state + 1 that is left at after_end_ns; 0: none
    int64_t after_end_ns;   // on the clock of motion
    char text[ZR_UNROUTED_BYTES]; // deferred: as it was asked for, to be told if nothing answers
} speech;
_Static_assert(sizeof(speech) == 40 + ZR_UNROUTED_BYTES, "no padding: equal states are equal bytes");

static speech *speech_of(const zo_instance *instance) { return zr_director_state(instance); }
static const zp_speech *record_of(const zo_instance *instance) { return instance->program->speeches; }
static const zp_machine *machine_of(const zo_instance *instance) {
    return &instance->program->machines[instance->program->directors[0].machine];
}

// Of the state that the machine is in.
static const zp_voice *voice_now(const zo_instance *instance) {
    const uint32_t nth = zr_machine_of(instance)->state - machine_of(instance)->first_state;
    return &instance->program->voices[instance->program->words[record_of(instance)->voices + nth]];
}

static bool speaks(const zo_instance *instance) { return instance->speaking != 0; }

// ---------------------------------------------------------------------------------------------------- words

// Whether the text, in lower case, is the word.
static bool is_word(zo_text text, const char *word) {
    size_t at = 0, word_at = 0;
    const size_t word_size = strlen(word);
    while (at < text.size && word_at < word_size) {
        const uint32_t letter = zb_lower(zb_utf8_next(text.data, text.size, &at, NULL));
        if (letter != zb_utf8_next(word, word_size, &word_at, NULL)) { return false; }
    }
    return at == text.size && word_at == word_size;
}

static uint32_t find_voice(const zp_program *program, zo_text text) { // voice + 1; 0: none
    uint32_t low = 0, high = zp_count(program, ZP_SECTION_VOICES);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const zo_text name = zb_text(zp_name_text(program, program->voices[middle].name));
        const int order = zb_text_order(name, text);
        if (order == 0) { return middle + 1; }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return 0;
}

// What the text means: another word for a voice, whatever its case, else the voice of that name. 0: nothing.
static uint32_t voice_of_text(const zo_instance *instance, const char *text) {
    const zp_program *program = instance->program;
    const zo_text trimmed = zb_utf8_trim(zb_text(text), zb_is_white);
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_ALIASES); ++i) {
        const zp_alias *alias = &program->aliases[i];
        if (is_word(trimmed, zp_name_text(program, alias->word))) { return alias->voice + 1; }
    }
    return find_voice(program, trimmed);
}

// ---------------------------------------------------------------------------------------------------- holds

static void end_hold(zo_instance *instance) { // and what waits for its end
    speech *s = speech_of(instance);
    s->held = HELD_NONE;
    s->back = 0;
    s->hold_end_ns = 0;
    s->deferred = s->deferred_ref = 0;
    memset(s->text, 0, sizeof s->text);
}

static void leave_after(speech *s) {
    s->after_ref = 0;
    s->after_end_ns = 0;
}

// While somebody speaks, a clip whose mouth is not followed leaves out its first frame, which is at rest, when it comes
// round.
static void set_loop(zo_instance *instance) {
    zr_machine_set_loop_start(instance, speaks(instance) && voice_now(instance)->overlay_ref == 0 ? 1 : 0);
}

static void on_enter(zo_instance *instance) {
    speech *s = speech_of(instance);
    end_hold(instance);
    if (s->after_ref != zr_machine_of(instance)->state + 1) { leave_after(s); }
    set_loop(instance);
}

static bool on_complete(zo_instance *instance) {
    if (speaks(instance) || !(voice_now(instance)->flags & ZP_VOICE_WAITS)) { return false; }
    zr_machine_hold(instance, ZR_HOLD_LAST, 0);
    speech_of(instance)->held = HELD_WAIT;
    return true;
}

// ---------------------------------------------------------------------------------------------------- asking

// `voice_ref` 0: nobody knows what was meant. false: nothing answers.
static bool ask(zo_instance *instance, uint32_t voice_ref) {
    const zp_program *program = instance->program;
    const uint32_t intent_ref = voice_ref != 0 && speaks(instance) ? program->voices[voice_ref - 1].intent_ref : 0;
    const uint32_t entry_ref = intent_ref != 0 ? program->intents[intent_ref - 1].entry_ref : 0;
    if (entry_ref != 0) { voice_ref = entry_ref; }
    zr_wish wish = {0};
    if (voice_ref != 0) {
        const zp_voice *voice = &program->voices[voice_ref - 1];
        wish = (zr_wish){voice->name, &program->words[voice->first_other], voice->other_count};
    }
    if (!zr_machine_ask(instance, &wish)) { return false; }
    if (speaks(instance)) { speech_of(instance)->intent_ref = intent_ref; }
    return true;
}

static bool ask_aloud(zo_instance *instance, uint32_t voice_ref, const char *text) {
    if (ask(instance, voice_ref)) { return true; }
    if (zr_machine_of(instance)->wish_count < ZR_WISHES_MAX) { zr_machine_tell_unrouted(instance, text); }
    return false;
}

static void end_speech(zo_instance *instance) {
    speech *s = speech_of(instance);
    if (!speaks(instance) && s->held == HELD_AFTER) { return; }
    instance->speaking = 0;
    set_loop(instance);
    const zp_program *program = instance->program;
    const zp_voice *voice = voice_now(instance);
    if (!(voice->flags & ZP_VOICE_PERFORMS)) { return; }
    const bool followed = voice->overlay_ref != 0;
    zr_machine_hold(instance, followed ? ZR_HOLD_FRAME : ZR_HOLD_CURRENT,
                    followed ? program->overlays[voice->overlay_ref - 1].rest_frame : 0);
    const uint32_t intent_ref = voice->intent_ref != 0 ? voice->intent_ref : s->intent_ref;
    const bool expresses = !(voice->flags & ZP_VOICE_PLAIN) && intent_ref != 0;
    const uint32_t after_ref = expresses ? program->intents[intent_ref - 1].after_ref : 0;
    s->held = HELD_AFTER;
    s->back = after_ref != 0 ? after_ref - 1 : machine_of(instance)->start;
    s->hold_end_ns = zr_motion_ns(instance) + record_of(instance)->hold_ns;
    s->intent_ref = 0;
}

// Whether it is to wait until speech and the hold behind it are over. Speech ends with that.
static bool waits(zo_instance *instance, bool after_speech) {
    speech *s = speech_of(instance);
    if (!after_speech || (!speaks(instance) && s->held != HELD_AFTER)) { return false; }
    end_speech(instance);
    return s->held == HELD_AFTER;
}

bool zr_speech_trigger(zo_instance *instance, const char *text, bool after_speech) {
    const uint32_t voice_ref = voice_of_text(instance, text);
    if (!waits(instance, after_speech)) { return ask_aloud(instance, voice_ref, text); }
    speech *s = speech_of(instance);
    s->deferred = 1;
    s->deferred_ref = voice_ref;
    zr_cut_text(text, s->text);
    return true;
}

void zr_speech_release(zo_instance *instance, bool after_speech) {
    speech *s = speech_of(instance);
    if (waits(instance, after_speech)) {
        s->deferred = s->deferred_ref = 0;
        memset(s->text, 0, sizeof s->text);
        return;
    }
    instance->speaking = 0;
    s->intent_ref = 0;
    leave_after(s);
    zr_machine_release(instance);
}

static void begin(zo_instance *instance) { // out of something else than a performance
    const zp_speech *record = record_of(instance);
    uint32_t voice_ref = record->entry_ref;
    if (record->other_ref != 0 && (voice_now(instance)->flags & ZP_VOICE_OTHER) &&
        zr_machine_draw(instance) < record->other_chance) {
        voice_ref = record->other_ref;
    }
    if (voice_ref != 0) { ask(instance, voice_ref); }
}

void zr_speech_speaking(zo_instance *instance, bool speaking) {
    if (!speaking) {
        end_speech(instance);
        return;
    }
    speech *s = speech_of(instance);
    const bool spoke = speaks(instance), waited = s->held == HELD_WAIT;
    instance->speaking = 1;
    if (!spoke) { s->intent_ref = 0; }
    end_hold(instance);
    zr_machine_drop(instance);
    zr_machine_restart(instance);
    set_loop(instance);
    if (waited) {
        zr_machine_step(instance, ZO_VIA_FORCED);
    } else if (!spoke && !(voice_now(instance)->flags & ZP_VOICE_PERFORMS)) {
        begin(instance);
    }
}

// ---------------------------------------------------------------------------------------------------- timers

static int64_t first_ns(const speech *s) { // on the clock of motion
    const int64_t hold_ns = s->held == HELD_AFTER ? s->hold_end_ns : NEVER;
    const int64_t after_ns = s->after_ref != 0 ? s->after_end_ns : NEVER;
    return hold_ns <= after_ns ? hold_ns : after_ns;
}

static int64_t next_ns(const zo_instance *instance) {
    const int64_t at_ns = first_ns(speech_of(instance));
    if (instance->hidden && at_ns != NEVER) { return at_ns <= instance->hidden_ns ? instance->now_ns : NEVER; }
    return at_ns;
}

// What follows an intent is left when its clip has played once, though the clip itself may be told so no more.
static void go_back(zo_instance *instance, uint32_t back) {
    speech *s = speech_of(instance);
    zr_machine_drop(instance);
    zr_machine_goto(instance, back, ZO_VIA_POST_SPEECH);
    if (back == machine_of(instance)->start) { return; }
    const int64_t least_ns = record_of(instance)->after_ns_min;
    const int64_t pass_ns = instance->program->clips[zr_machine_clip(instance)].duration_ns;
    s->after_ref = back + 1;
    s->after_end_ns = zr_motion_ns(instance) + (pass_ns > least_ns ? pass_ns : least_ns);
}

static void end_after(zo_instance *instance) {
    const uint32_t state = zr_machine_of(instance)->state, root = machine_of(instance)->start;
    leave_after(speech_of(instance));
    if (speaks(instance)) { return; }
    uint32_t to = state;
    const bool stays = !zr_machine_pick(instance, &to) || to == state;
    zr_machine_goto(instance, stays ? root : to, ZO_VIA_POST_SPEECH_ADVANCE);
}

// When nothing answers what has waited, the hold is over all the same.
static void on_timer(zo_instance *instance) {
    speech *s = speech_of(instance);
    if (s->held != HELD_AFTER || first_ns(s) != s->hold_end_ns) {
        end_after(instance);
        return;
    }
    const uint32_t back = s->back, voice_ref = s->deferred_ref;
    const bool deferred = s->deferred != 0;
    char text[ZR_UNROUTED_BYTES];
    memcpy(text, s->text, sizeof text);
    end_hold(instance);
    if (!deferred || !ask_aloud(instance, voice_ref, text)) { go_back(instance, back); }
}

static void on_shift(zo_instance *instance, int64_t ns) {
    speech *s = speech_of(instance);
    if (s->held == HELD_AFTER) { s->hold_end_ns += ns; }
    if (s->after_ref != 0) { s->after_end_ns += ns; }
}

// ---------------------------------------------------------------------------------------------------- the director

static void start(zo_instance *instance) { (void)instance; } // the machine has entered its first state

// The state of the same name, among the machine's own: state + 1; 0: it is gone.
static uint32_t same_state_ref(const zo_instance *instance, const zo_instance *old, uint32_t state) {
    const uint32_t ref = zr_same_ref(instance->program, old->program, ZP_SECTION_STATES, state);
    const zp_machine *machine = machine_of(instance);
    return ref != 0 && ref - 1 - machine->first_state < machine->state_count ? ref : 0;
}

static void adopt_hold(zo_instance *instance, const zo_instance *old) {
    speech *s = speech_of(instance);
    const speech *was = speech_of(old);
    s->held = was->held;
    if (was->held != HELD_AFTER) { return; }
    const uint32_t back_ref = same_state_ref(instance, old, was->back);
    s->back = back_ref != 0 ? back_ref - 1 : machine_of(instance)->start;
    s->hold_end_ns = was->hold_end_ns;
    s->deferred = was->deferred;
    memcpy(s->text, was->text, sizeof s->text);
    if (was->deferred_ref == 0) { return; }
    const zp_voice *voice = &old->program->voices[was->deferred_ref - 1];
    s->deferred_ref = find_voice(instance->program, zb_text(zp_name_text(old->program, voice->name)));
}

static uint32_t same_intent_ref(const zp_program *to, const zp_program *from, uint32_t ref) {
    for (uint32_t i = 0; i < zp_count(to, ZP_SECTION_INTENTS) && ref != 0; ++i) {
        const char *name = zp_name_text(to, to->intents[i].name);
        if (strcmp(name, zp_name_text(from, from->intents[ref - 1].name)) == 0) { return i + 1; }
    }
    return 0;
}

// The machine has been adopted before: where it holds nothing any more there is no hold here either.
static void adopt(zo_instance *instance, const zo_instance *old, const zr_adoption *adoption) {
    (void)adoption; // the machine has told what is gone
    speech *s = speech_of(instance);
    *s = (speech){0};
    if (old) {
        const speech *was = speech_of(old);
        s->intent_ref = same_intent_ref(instance->program, old->program, was->intent_ref);
        if (zr_machine_of(instance)->held) { adopt_hold(instance, old); }
        const uint32_t after_ref = was->after_ref != 0 ? same_state_ref(instance, old, was->after_ref - 1) : 0;
        if (after_ref == zr_machine_of(instance)->state + 1) {
            s->after_ref = after_ref;
            s->after_end_ns = was->after_end_ns;
        }
    }
    set_loop(instance);
}

const zr_director zr_director_of_speech = {
    .size = sizeof(speech), .start = start, .next_ns = next_ns, .on_timer = on_timer, .on_shift = on_shift,
    .on_enter = on_enter, .on_complete = on_complete, .adopt = adopt,
};
