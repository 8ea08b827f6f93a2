// The rules: the table that diag.def makes, and finding one in it. Called by the report and for lists and explanations
// of rules. Must not know what is reported where.
#include "diag/diag.h"

static const zo_rule rules[] = {
#define X(name, id, severity, message, hint, explain) {id, severity, message, hint, explain},
#include "diag/diag.def"
#undef X
};

const zo_rule *zd_rule_of(zd_id id) {
    ZO_ASSERT((uint32_t)id < ZD_COUNT);
    return &rules[id];
}

// diag.def groups by what belongs together, so the order of ids is made here, each time: nothing that changes is kept.
const zo_rule *zd_rule_at(uint32_t index) {
    if (index >= ZD_COUNT) { return NULL; }
    uint16_t order[ZD_COUNT];
    for (uint32_t i = 0; i < ZD_COUNT; i++) {
        uint32_t begin = 0;
        uint32_t end = i;
        while (begin < end) {
            const uint32_t middle = begin + (end - begin) / 2;
            if (strcmp(rules[order[middle]].id, rules[i].id) < 0) {
                begin = middle + 1;
            } else {
                end = middle;
            }
        }
        memmove(order + begin + 1, order + begin, (i - begin) * sizeof order[0]);
        order[begin] = (uint16_t)i;
    }
    return &rules[order[index]];
}

const zo_rule *zd_rule_find(const char *id) {
    if (!id) { return NULL; }
    for (uint32_t i = 0; i < ZD_COUNT; i++) {
        if (strcmp(rules[i].id, id) == 0) { return &rules[i]; }
    }
    return NULL;
}
