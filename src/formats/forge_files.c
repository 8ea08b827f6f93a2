// The files that lie around one of Forge's: a name of a resource, "domain:path", to a file that lies beside, and the
// files that a machine's clips are in. Which folders there are is the caller's affair: here are names only, below any
// of them. Called by the readers of machines and models.
#include "formats/b3d.h"
#include "formats/forge_fields.h"

enum { TRIED_MAX = 4 };

static zo_text after(zo_text text, const char *head) {
    const size_t size = strlen(head);
    const bool begins = text.size >= size && memcmp(text.data, head, size) == 0;
    return begins ? (zo_text){text.data + size, text.size - size} : text;
}

static zo_text before_ending(zo_text text, const char *ending) {
    const size_t size = strlen(ending);
    const bool ends = text.size >= size && memcmp(text.data + text.size - size, ending, size) == 0;
    return (zo_text){text.data, text.size - (ends ? size : 0)};
}

bool zf_fg_split_name(zo_text name, zo_text *domain, zo_text *path) {
    const char *colon = name.size > 0 ? memchr(name.data, ':', name.size) : NULL;
    const size_t head = colon != NULL ? (size_t)(colon - name.data) : 0;
    *domain = colon != NULL && head > 0 ? (zo_text){name.data, head} : ZB_TEXT("minecraft");
    *path = colon != NULL ? (zo_text){colon + 1, name.size - head - 1} : name;
    const char *variant = path->size > 0 ? memchr(path->data, '#', path->size) : NULL; // picks a state of the block
    if (variant != NULL) {
        path->size = (size_t)(variant - path->data);
    }
    return path->size > 0 && memchr(name.data, 0, name.size) == NULL; // no file has a name with a zero in it
}

static zo_text bare(zo_text path) { return before_ending(after(path, "models/"), ".json"); }

static zo_text joined(zb_arena *arena, const char *head, zo_text domain, const char *folder, zo_text path,
                      const char *ending) {
    zb_buffer out = zb_buffer_open(arena);
    zb_put(&out, head);
    zb_put_text(&out, domain);
    zb_put(&out, domain.size > 0 ? "/" : "");
    zb_put(&out, folder);
    zb_put(&out, folder[0] != 0 ? "/" : "");
    zb_put_text(&out, path);
    zb_put(&out, ending);
    return (zo_text){zb_buffer_text(&out), out.size};
}

// The places, the likely ones first.
static uint32_t places(zb_arena *arena, const zf_fg_lookup *what, zo_text out[2 * TRIED_MAX]) {
    zo_text domain, path;
    uint32_t count = 0;
    if (!zf_fg_split_name(what->name, &domain, &path)) {
        return 0;
    }
    path = bare(path);
    const zo_text none = {"", 0}, stripped = after(path, "block/");
    // Models often lie beside each other, and their pictures beside them.
    const bool flat = strcmp(what->folder, "models") == 0 || strcmp(what->folder, "textures") == 0;
    for (uint32_t i = 0; i < (stripped.size != path.size ? 2u : 1u); i++) {
        const zo_text p = i == 0 ? path : stripped;
        out[count++] = joined(arena, "", none, what->folder, p, what->ending);
        if (flat) {
            out[count++] = joined(arena, "", none, "", p, what->ending);
        }
        out[count++] = joined(arena, "assets/", domain, what->folder, p, what->ending);
    }
    return count;
}

// A machine and its model have one name in folders of theirs, and beside the machine lies the machine. (A model may be
// its own parent, which is told of.)
static bool is_the_first(const zf_fg_reading *r, const zo_source *source) {
    const zo_source *first = &r->input->sources[0];
    return first->bytes != NULL && source->bytes != NULL && first->size == source->size &&
           memcmp(first->bytes, source->bytes, first->size) == 0;
}

// Some file that happens to have the name is no model: it has not a single member of one. One that cannot be read may
// be.
static bool may_be_model(const zf_fg_reading *r, const zo_source *source) {
    const zj_limits limits = {.depth_max = r->input->def->depth_max, .size_max = r->input->def->size_max,
                              .lenient = ZJ_LOOSE};
    const zj_doc *doc = zj_parse_outcome(r->arena, source->bytes, source->size, 0, &limits, NULL).doc;
    bool may = doc == NULL || !zf_is(doc, ZJ_ROOT, ZJ_OBJECT) || zj_at(doc, ZJ_ROOT)->as.items.count == 0;
    for (uint32_t i = 0; i < zf_fg_model_object.field_count && !may; i++) {
        may = zj_member(doc, ZJ_ROOT, zf_name_text(zf_fg_model_object.fields[i].name)) != 0;
    }
    return may;
}

// In a folder of models there are models; beside other files, or above, there is anything.
static bool is_wanted(const zf_fg_reading *r, const zf_fg_lookup *what, uint32_t place, const zo_source *source) {
    if (what->kind != ZO_NEED_BYTES || source->bytes == NULL) {
        return what->kind != ZO_NEED_BYTES || source->size == 0;
    }
    const bool model = strcmp(what->folder, "models") == 0 && what->ending[0] != 0, in_folder = place % 3 != 1;
    return !model || in_folder || may_be_model(r, source);
}

const zo_source *zf_fg_find(const zf_fg_reading *r, const zf_fg_lookup *what, bool *missing, zo_text *tried) {
    zo_text names[2 * TRIED_MAX];
    const uint32_t count = places(r->arena, what, names);
    zb_buffer list = zb_buffer_open(r->arena);
    zo_text led_out = {NULL, 0};
    *missing = true;
    for (uint32_t i = 0; i < count; i++) {
        const zo_source *source = zf_beside_find(&r->reads->beside, names[i]);
        const bool file = source != NULL && source->kind == ZO_SOURCE_FILE;
        const bool outside = file && source->outside_root; // what a pack names lies in it
        if (file && !outside && (r->kind == ZF_FG_MODEL || !is_the_first(r, source)) &&
            is_wanted(r, what, i, source)) {
            *missing = false;
            return source;
        }
        *missing = *missing && source != NULL;
        if (outside) { // which is all that needs to be said
            zb_buffer why = zb_buffer_open(r->arena);
            zb_put_text(&why, names[i]);
            zb_put(&why, ", where a link leads out of the folder");
            led_out = (zo_text){zb_buffer_text(&why), why.size};
        }
        zb_put(&list, i == 0 ? "" : ", ");
        zb_put_text(&list, names[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        zf_beside_need(&r->reads->beside, names[i], what->kind);
    }
    *tried = led_out.size > 0 ? led_out : (zo_text){zb_buffer_text(&list), list.size};
    return NULL;
}

const zj_doc *zf_fg_parse(const zf_fg_reading *r, const zo_source *source, uint32_t lenient) {
    zd_report *report = r->input->report;
    const zj_limits limits = {.depth_max = r->input->def->depth_max, .size_max = r->input->def->size_max,
                              .lenient = lenient};
    const uint32_t file = zd_report_file(report, source->name, source->bytes, source->size);
    return zj_parse_outcome(r->arena, source->bytes, source->size, file, &limits, report).doc;
}

// ------------------------------------------------------------------------------------------- each file is read once

zf_fg_reading zf_fg_reading_of(const zf_input *input, zf_fg_kind kind, zf_fg_reads *reads) {
    const uint32_t count = input->source_count;
    *reads = (zf_fg_reads){.beside = zf_beside_open(input)};
    reads->parents = zb_arena_take_array(input->arena, count, sizeof *reads->parents);
    reads->models = zb_arena_take_array(input->arena, count, sizeof *reads->models);
    reads->files = zb_arena_take_array(input->arena, count, sizeof *reads->files);
    return (zf_fg_reading){.input = input, .arena = input->arena, .doc = input->doc, .kind = kind,
                           .letter = input->def->draft_repeat_letter, .late = input->def->late_faults,
                           .reads = reads};
}

static uint32_t number_of(const zf_fg_reading *r, const zo_source *source) {
    return (uint32_t)(source - r->input->sources);
}

const zj_doc *zf_fg_parent(const zf_fg_reading *r, const zo_source *source) {
    const zj_limits limits = {.depth_max = r->input->def->depth_max, .size_max = r->input->def->size_max,
                              .lenient = ZJ_LOOSE};
    if (zb_arena_failed(r->arena)) {
        return NULL;
    }
    const zj_doc **known = &r->reads->parents[number_of(r, source)];
    if (*known == NULL) {
        *known = zj_parse_outcome(r->arena, source->bytes, source->size, 0, &limits, NULL).doc;
    }
    return *known;
}

// ------------------------------------------------------------------------------------------------- a machine's files

uint32_t zf_fg_file_of(const zf_fg_reading *r, zf_fg_machine *m, zo_text name, uint32_t node) {
    zo_text domain, path, whole = name; // a file may be written in several ways
    if (zf_fg_split_name(name, &domain, &path)) {
        zb_buffer out = zb_buffer_open(r->arena);
        zb_put_text(&out, domain);
        zb_put_char(&out, ':');
        zb_put_text(&out, bare(path));
        whole = (zo_text){out.data, out.size};
    }
    const uint32_t known = zb_intern_count(&m->file_names), id = zb_intern_id(&m->file_names, whole);
    if (id > known) {
        *(zf_fg_file *)zb_array_push(&m->files) = (zf_fg_file){.name = name, .node = node, .place = known};
    }
    return id > 0 ? id - 1 : 0;
}

static bool try_rig(const zf_fg_reading *r, zf_fg_file *file) {
    const bool draft = zf_fg_is_draft(r->kind);
    const uint32_t errors = zd_report_errors(r->input->report);
    zf_fg_reading there = *r;
    there.kind = draft ? ZF_FG_DRAFT_ANIMATION : ZF_FG_ARMATURE;
    there.doc = zf_fg_parse(r, file->source, draft ? ZJ_LOOSE | ZJ_MISSING_COMMAS : ZJ_LOOSE);
    if (there.doc != NULL) {
        (draft ? zf_fg_read_animation : zf_fg_read_armature)(&there, &file->rig);
    }
    return there.doc != NULL && zd_report_errors(r->input->report) == errors;
}

// Advice on a file is told where it is checked itself, unless it stands for a fault; so is what is wrong with one that
// is judged by itself.
static void read_rig(const zf_fg_reading *r, zf_fg_file *file) {
    const bool quiet = !r->late || file->source->judged;
    zd_report_mute(r->input->report, quiet);
    const bool good = try_rig(r, file);
    zd_report_mute(r->input->report, false);
    if (good) {
        return;
    }
    if (quiet && !file->source->judged) {
        try_rig(r, file);
    }
    file->rig.doc = NULL;
    file->faulty = true;
}

static bool try_model(const zf_fg_reading *r, const zo_source *source, zf_fg_model *out) {
    const uint32_t errors = zd_report_errors(r->input->report);
    zf_fg_reading there = *r;
    there.kind = ZF_FG_MODEL;
    there.doc = zf_fg_parse(r, source, ZJ_LOOSE);
    if (there.doc != NULL) {
        zf_fg_read_model(&there, out);
    }
    return there.doc != NULL && zd_report_errors(r->input->report) == errors;
}

// NULL: no memory.
static const zf_fg_model_read *read_model(const zf_fg_reading *r, const zo_source *source) {
    zd_report *report = r->input->report;
    if (zb_arena_failed(r->arena)) {
        return NULL;
    }
    zf_fg_model_read **known = &r->reads->models[number_of(r, source)];
    if (*known != NULL) {
        return *known;
    }
    zf_fg_model_read *read = zb_arena_take_array(r->arena, 1, sizeof *read);
    if (read == NULL) {
        return NULL;
    }
    zd_report_mute(report, true); // advice is told where the model is checked itself
    read->good = try_model(r, source, &read->model);
    zd_report_mute(report, false);
    if (!read->good && !source->judged) {
        zd_report_soften(report, r->late); // the program that shipped plays without it
        try_model(r, source, &read->model);
        zd_report_soften(report, false);
    }
    read->model.source = source;
    *known = read;
    return read;
}

bool zf_fg_find_model(const zf_fg_reading *r, zo_text name, zf_fg_model *out, bool *unknown, zo_text *tried) {
    const zf_fg_lookup what = {.name = name, .folder = "models", .ending = ".json"};
    bool missing = false;
    const zo_source *source = zf_fg_find(r, &what, &missing, tried);
    *out = (zf_fg_model){.doc = NULL};
    *unknown = *unknown || (source == NULL && !missing);
    if (source == NULL) {
        return false;
    }
    const zf_fg_model_read *read = read_model(r, source);
    if (read != NULL && read->good) {
        *unknown = *unknown || read->model.unknown;
        *out = read->model;
    }
    return true;
}

bool zf_fg_count_elements(const zf_fg_reading *r, const zf_fg_model *model, uint32_t node) {
    const uint32_t count = model->crowd > 0 ? model->crowd : model->element_count;
    if (count > ZF_FG_ELEMENTS_MAX - r->reads->element_count) {
        zf_fg_tell(r, node, ZD_FORGE_TOO_MANY_ELEMENTS,
                   ZD_ARGS(zd_int((int64_t)r->reads->element_count + count), zd_int(ZF_FG_ELEMENTS_MAX)));
        return false;
    }
    r->reads->element_count += count;
    return true;
}

static bool is_b3d(zo_text name) { return name.size > 4 && memcmp(name.data + name.size - 4, ".b3d", 4) == 0; }

static void read_b3d(const zf_fg_reading *r, zf_fg_file *file) {
    zd_report *report = r->input->report;
    zf_b3_model *model = zb_arena_take_array(r->arena, 1, sizeof *model);
    const uint32_t number = zd_report_file(report, file->source->name, NULL, file->source->size);
    zd_report_mute(report, file->source->judged);
    const bool good = model != NULL &&
                      zf_b3_read(r->arena, file->source->bytes, file->source->size, number, report, model);
    zd_report_mute(report, false);
    file->b3d_model = good ? model : NULL;
    file->faulty = !good;
}

// The first of a machine's files that has this source; `file` is, where there was none.
static zf_fg_file *first_of(const zf_fg_reading *r, const zf_fg_machine *m, zf_fg_file *file, const zo_source *source) {
    uint32_t *first = &r->reads->files[number_of(r, source)];
    if (*first == 0) {
        *first = (uint32_t)(file - zf_fg_file_at(m, 0)) + 1;
    }
    return zf_fg_file_at(m, *first - 1);
}

static bool take_rig(zf_fg_file *file, const zf_fg_file *other) { // read under another name
    const bool takes = other != file && other->source == file->source && other->b3d == file->b3d;
    if (takes) {
        file->rig = other->rig;
        file->b3d_model = other->b3d_model;
        file->faulty = other->faulty;
    }
    return takes;
}

// Names that lead to the same armature and the same model are one file.
static void take_place_of_same(const zf_fg_reading *r, const zf_fg_machine *m, zf_fg_file *file) {
    const zo_source *source = file->model.source != NULL ? file->model.source : file->source;
    const zf_fg_file *first = source != NULL ? first_of(r, m, file, source) : file;
    if (first != file && first->source == file->source && first->model.source == file->model.source &&
        first->b3d == file->b3d) {
        file->place = first->place;
        file->rig = (zf_fg_rig){.doc = NULL};
        file->model = (zf_fg_model){.doc = NULL};
        file->b3d_model = NULL;
    }
}

static void find_file(const zf_fg_reading *r, zf_fg_machine *m, zf_fg_file *file) {
    const bool draft = zf_fg_is_draft(r->kind);
    zf_fg_lookup what = {.name = file->name, .folder = draft ? "animation" : "armatures", .ending = ".json"};
    zo_text domain, path, tried = {NULL, 0};
    if (zf_fg_split_name(file->name, &domain, &path) && is_b3d(path)) {
        what.folder = "models";
        what.ending = "";
        file->b3d = true;
    }
    if (draft && file->b3d && what.ending[0] != 0) { // `model` names something that is no B3D file
        zf_fg_tell(r, file->node, ZD_FORGE_WRONG_TYPE,
                   ZD_ARGS(zd_word("model"), zd_word("the name of a .b3d file"), zf_not(r->arena, r->doc, file->node)));
        file->faulty = true;
        return;
    }
    file->source = zf_fg_find(r, &what, &file->missing, &tried);
    file->tried = tried;
    m->unknown = m->unknown || (file->source == NULL && !file->missing);
    if (file->missing && draft) {
        zf_fg_tell(r, file->node, ZD_FORGE_UNRESOLVED_FILE,
                   ZD_ARGS(zf_fg_quoted(r, file->name), zd_text(tried)));
    }
    if (file->source != NULL && take_rig(file, first_of(r, m, file, file->source))) {
        // read before
    } else if (file->source != NULL && file->b3d) {
        read_b3d(r, file);
    } else if (file->source != NULL) {
        read_rig(r, file);
    }
    const zo_text model = draft ? file->rig.model : file->name;
    if (!file->b3d && model.size > 0 && !zf_fg_find_model(r, model, &file->model, &m->unknown, &tried) &&
        draft && file->rig.doc != NULL && !m->unknown) {
        zf_fg_reading there = *r;
        there.doc = file->rig.doc;
        there.kind = ZF_FG_DRAFT_ANIMATION;
        zf_fg_tell(&there, file->rig.model_node, ZD_FORGE_UNRESOLVED_MODEL,
                   ZD_ARGS(zf_fg_quoted(&there, model), zd_text(tried)));
    }
    take_place_of_same(r, m, file);
    if (file->model.doc != NULL && !m->crowded) {
        m->crowded = !zf_fg_count_elements(r, &file->model, file->node);
    }
}

// Where the armature or B3D model of a clip was looked for in vain.
static void tell_where(const zf_fg_reading *r, const zf_fg_file *file, uint32_t added) {
    if (file->tried.size == 0) {
        zd_report_hint(r->doc->report, added, "what stands before the @ is \"domain:path\", with a path", ZD_NO_ARGS);
    } else {
        zd_report_hint(r->doc->report, added, file->b3d ? "there is no such model; it was looked for as {}"
                                                        : "it has no armature; that was looked for as {}",
                       ZD_ARGS(zd_text(file->tried)));
    }
}

// A clip that is not in its file is at rest, in the shipped dialect; in the draft it is a fault.
static void check_clip(const zf_fg_reading *r, const zf_fg_machine *m, zf_fg_pose *pose) {
    const zf_fg_file *file = zf_fg_file_at(m, pose->file);
    const bool known = file->rig.doc != NULL || (file->b3d && file->source != NULL) ||
                       (file->missing && !zf_fg_is_draft(m->kind));
    if (file->faulty) { // that is told of it; where it is told elsewhere the rest is a program all the same
        pose->kind = ZF_FG_REST;
    }
    if (!known || file->faulty) {
        return;
    }
    const bool there = file->b3d ? file->b3d_model != NULL && zb_text_equal(pose->name, ZB_TEXT("main"))
                                 : file->rig.doc != NULL && zb_intern_find(&file->rig.clip_names, pose->name) != 0;
    if (there) {
        return;
    }
    if (zf_fg_is_draft(m->kind)) {
        const uint32_t added = zf_fg_tell(r, pose->node, ZD_FORGE_UNRESOLVED_CLIP,
                                          ZD_ARGS(zf_fg_quoted(r, pose->name)));
        if (added != 0 && file->b3d) {
            zd_report_hint(r->doc->report, added, "a B3D model has one clip, \"main\"", ZD_NO_ARGS);
        } else {
            zf_fg_hint_name(r, added, pose->name, &m->clip_names, file->b3d ? NULL : &file->rig.clip_names);
        }
    } else {
        const uint32_t added = zf_fg_tell(r, pose->node, ZD_FORGE_UNKNOWN_MODEL_CLIP,
                                          ZD_ARGS(zf_fg_quoted(r, file->name), zf_fg_quoted(r, pose->name)));
        if (added != 0 && file->missing) {
            tell_where(r, file, added);
        } else if (added != 0 && file->b3d) {
            zd_report_hint(r->doc->report, added, "a B3D model has one clip, \"main\"", ZD_NO_ARGS);
        } else {
            zf_fg_hint_name(r, added, pose->name, &file->rig.clip_names, NULL);
        }
    }
    pose->kind = ZF_FG_REST;
}

void zf_fg_read_files(const zf_fg_reading *r, zf_fg_machine *m) {
    for (uint32_t i = 0; i < m->files.count && !m->crowded && !zb_arena_failed(r->arena); i++) {
        find_file(r, m, zf_fg_file_at(m, i));
    }
    for (uint32_t i = 0; i < m->poses.count && !m->crowded && !zb_arena_failed(r->arena); i++) {
        zf_fg_pose *pose = zf_fg_pose_at(m, i);
        if (pose->kind == ZF_FG_MODEL_CLIP) {
            pose->file = zf_fg_file_at(m, pose->file)->place;
            check_clip(r, m, pose);
        }
    }
}
