// Pet packages: the manifest as a plain structure, what the archive around it must be like, and both ways between a
// package and a folder. Shared by the petween_package*.c files; nothing else includes it but formats.c, the plan of
// imports and api.
#ifndef ZF_PETWEEN_PACKAGE_H
#define ZF_PETWEEN_PACKAGE_H

#include <zoetrope/package.h>

#include "formats/petween_pack.h"
#include "formats/petween_pet.h"

enum { PACKAGE_FORMAT, PACKAGE_VERSION, PACKAGE_NAME, PACKAGE_PET, PACKAGE_ASSETS, PACKAGE_MOTION_PACK,
       PACKAGE_ATTRIBUTION, PACKAGE_PLUGINS };
enum { ASSET_ID, ASSET_SHA256, ASSET_FILE, ASSET_MIME_TYPE, ASSET_WIDTH, ASSET_HEIGHT, ASSET_SIZE };
enum { ZF_PT_ASSET_ID_SIZE = 16, ZF_PT_SHA256_SIZE = 64, ZF_PT_MIME_COUNT = 3 };
enum { ZF_PT_PICTURE_SIDE_MAX = 4096, ZF_PT_ENTRIES_MAX = 64 };
#define ZF_PT_FILE_SIZE_MAX (UINT64_C(12) << 20)
#define ZF_PT_TOTAL_SIZE_MAX (UINT64_C(60) << 20)

extern const zf_object zf_pt_package_object;                    // petween_package_fields.c
extern const zf_name zf_pt_mime_types[ZF_PT_MIME_COUNT];        // in the order of zo_picture_kind, from PNG
extern const char *const zf_pt_picture_endings[ZF_PT_MIME_COUNT];

// A row of assets that has an id. What is not as it must be is 0 and was reported.
typedef struct zf_pt_asset {
    uint32_t node;
    zo_text id, sha256, file; // file: as written, or empty
    zo_picture_kind kind;
    double width, height, size;
    uint32_t nodes[ASSET_SIZE + 1]; // of the members
    bool used, found;
} zf_pt_asset;

typedef struct zf_pt_package {
    const zj_doc *doc;
    zo_text name;            // without the white space around it
    uint32_t pet;            // nodes; 0: not there
    uint32_t motion_pack, attribution, plugins;
    zf_pt_pack pack;         // without animations when there is none
    zf_pt_named named;       // what the pet names
    zf_pt_asset *assets;
    uint32_t asset_count;
} zf_pt_package;

// Reads and judges the manifest, the archive around it not included; `build` may be NULL.            petween_package.c
zo_status zf_pt_read_package(const zf_input *input, zf_pt_package *out, zp_build *build);
bool zf_pt_is_asset_id(zo_text text);

// What of an archive can be judged without the manifest, and then what the manifest says of it.      petween_archive.c
void zf_pt_judge_entries(const zf_input *input);
void zf_pt_judge_assets(const zf_input *input, zf_pt_package *package);
void zf_pt_want(const zo_archive *archive, bool *wanted);

// The bodies of zo_package_make and zo_package_open.                                            petween_package_make.c
zo_status zf_pt_make_package(const zo_source *sources, uint32_t source_count, const zo_package_def *package_def,
                             const zo_compile_def *def, zb_arena *kept, zo_package *out, zd_report *report);
zo_status zf_pt_open_package(const zo_source *manifest, const zo_compile_def *def, zb_arena *kept, zo_package *out,
                             zd_report *report);

extern const zf_reader zf_pt_package_reader;

#endif
