// The public side of reports and rules: a NULL report is an empty one. All work is done in src/diag.
#include <zoetrope/compile.h>

#include "diag/diag.h"

uint32_t zo_report_count(const zo_report *report) { return report ? zd_report_count(report) : 0; }

const zo_diag *zo_report_at(const zo_report *report, uint32_t index) {
    return report ? zd_report_at(report, index) : NULL;
}

uint32_t zo_report_dropped(const zo_report *report) { return report ? zd_report_dropped(report) : 0; }

uint32_t zo_report_total(const zo_report *report, zo_severity severity) {
    return report ? zd_report_total(report, severity) : 0;
}

const char *zo_report_format(const zo_report *report) { return report ? zd_report_format(report) : ""; }

bool zo_report_verdict(const zo_report *report, zo_verdict *verdict) {
    *verdict = (zo_verdict){NULL, NULL};
    return report && zd_report_verdict(report, verdict);
}

bool zo_report_write(const zo_report *report, zo_report_style style, bool color, zo_write_fn write, void *context) {
    return report && zo_reports_write(&report, 1, style, color, write, context);
}

bool zo_reports_write(const zo_report *const *reports, uint32_t report_count, zo_report_style style, bool color,
                      zo_write_fn write, void *context) {
    return write && (reports || report_count == 0) &&
           zd_reports_write(reports, report_count, style, color, write, context);
}

void zo_report_free(zo_report *report) { zd_report_close(report); }

uint32_t zo_report_need_count(const zo_report *report) { return report ? zd_report_need_count(report) : 0; }

const zo_need *zo_report_need(const zo_report *report, uint32_t index) {
    return report ? zd_report_need(report, index) : NULL;
}

const zo_rule *zo_rule_at(uint32_t index) { return zd_rule_at(index); }

const zo_rule *zo_rule_find(const char *id) { return zd_rule_find(id); }
