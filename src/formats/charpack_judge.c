// Faults in the order of looking, and the verdict on them: see charpack.h. Called by the other charpack files.
#include "base/buffer.h"
#include "formats/charpack.h"

static const char *const categories[ZF_CP_CATEGORY_COUNT] = {
    [ZF_CP_NOT_INSTALLED] = "not_installed", [ZF_CP_MANIFEST] = "invalid_manifest", [ZF_CP_GRAPH] = "invalid_graph",
    [ZF_CP_MOUTH] = "invalid_mouth_config", [ZF_CP_INCOMPLETE] = "incomplete_pack"};

zf_cp_judge zf_cp_judge_open(const zf_input *input) {
    return (zf_cp_judge){.input = input, .arena = input->arena};
}

void zf_cp_refuse(zf_cp_judge *judge, zf_cp_category category, zo_text text) {
    judge->faults++;
    if (judge->category != NULL) {
        return;
    }
    judge->category = categories[category];
    zb_buffer out = zb_buffer_open(zd_report_arena(judge->input->report));
    zb_put(&out, "INVALID [");
    zb_put(&out, judge->category);
    zb_put(&out, "]: ");
    zb_put_text(&out, text);
    judge->line = zb_buffer_text(&out);
}

uint32_t zf_cp_fault(zf_cp_judge *judge, zf_cp_category category, const zj_doc *doc, uint32_t node, zd_id id,
                     zd_args args) {
    const uint32_t added = zf_report_head(doc, node, id, args);
    zf_cp_refuse(judge, category, zb_text(zd_report_message(judge->input->report, added)));
    return added;
}

uint32_t zf_cp_warn(const zf_cp_judge *judge, const zj_doc *doc, uint32_t node, zd_id id, zd_args args) {
    return judge->input->def->contract_only ? 0 : zf_report_head(doc, node, id, args);
}

void zf_cp_sentence(const zf_cp_judge *judge, const char *fine) {
    zd_report_give_verdict(judge->input->report, judge->category, judge->category != NULL ? judge->line : fine);
}

zd_arg zf_cp_where(const zf_cp_judge *judge, const char *form, zo_text name, uint32_t index) {
    zb_buffer out = zb_buffer_open(judge->arena);
    for (const char *at = form; *at != 0; at++) {
        if (*at != '%') {
            zb_put_char(&out, *at);
        } else if (*++at == 's') {
            zf_put_cut(&out, name);
        } else {
            zb_put_uint(&out, index);
        }
    }
    return zd_text((zo_text){out.data, out.size});
}

zd_arg zf_cp_name(const zf_cp_judge *judge, zo_text name) { return zf_cp_where(judge, "'%s'", name, 0); }

