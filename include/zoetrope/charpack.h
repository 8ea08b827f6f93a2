// Character packs made of pictures, and taken apart again. An authoring file (format character-pack-source) says which
// pictures make which clip, and what leads from clip to clip; a pack holds the same as textures and three JSON files.
// The library opens no file and decodes nothing: the caller says which pictures there are, encodes those that are asked
// for, and gets the texts.
#ifndef ZOETROPE_CHARPACK_H
#define ZOETROPE_CHARPACK_H

#include <zoetrope/base.h>
#include <zoetrope/compile.h>
#include <zoetrope/package.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum zo_charpack_encoding {
    ZO_CHARPACK_RGBA8 = 0, // every bit as it is
    ZO_CHARPACK_UASTC = 1, // a quarter of the memory, nearly the same
} zo_charpack_encoding;

// A pack to be made. What it points to lives as long as it does.
typedef struct zo_charpack_plan {
    const char *id;
    const char *const *pictures; // [picture_count], names as given: each picture that is shown, in the order in which
    uint32_t picture_count;      // clips and then overlays show it first
    const char *const *textures; // [picture_count]: what each is called in the pack
    uint32_t clip_count;
    uint32_t frame_count;        // of all clips, repeats included
    zo_charpack_encoding encoding;
    uint32_t level;              // of the compression, 1 to 22; 0: not said
    uint32_t quality;            // of UASTC, 0 to 4, plus 1; 0: not said
} zo_charpack_plan;

// Reads an authoring file. `pictures`: names of all pictures that lie in its folder and below, '/' between parts, in
// any order, [picture_count]; what they hold is not asked. *plan is set only with ZO_OK; ZO_INVALID: the file has
// faults, or names what is not there; the report says all of it. Free with zo_charpack_plan_free.
ZO_API zo_status zo_charpack_plan_open(const zo_source *source, const char *const *pictures, uint32_t picture_count,
                                       const zo_compile_def *def, const zo_charpack_plan **plan, zo_report **report);
ZO_API void zo_charpack_plan_free(const zo_charpack_plan *plan);

// What became of the pictures.
typedef struct zo_charpack_stored {
    const uint32_t *same_as;  // [picture_count]: the first picture that is the same, which is itself or an earlier one;
                              // only such first ones are stored
    uint64_t texture_bytes;   // of all files stored
    uint32_t level, quality;  // as used; quality plus 1, 0: it is of no matter
} zo_charpack_stored;

// The three JSON files of the pack, the manifest first. The same input gives the same bytes. NULL: no memory. Free with
// zo_package_free.
ZO_API zo_package *zo_charpack_make(const zo_charpack_plan *plan, const zo_charpack_stored *stored);

// A pack taken apart.
typedef struct zo_charpack_parts {
    zo_text source;              // the authoring file; a pack built of it is the same again
    const char *const *textures; // [picture_count]: each texture that is shown, as the pack names it
    const char *const *pictures; // [picture_count]: what each is called beside the authoring file
    uint32_t picture_count;
} zo_charpack_parts;

// From the JSON files of a pack: the manifest first, and the two that it names, which ZO_NEEDS asks for by their names
// when they are not among the sources. Made for packs that zo_compile has found nothing wrong with; of another one it
// takes what it can. ZO_INVALID: one of them is no JSON object. Free with zo_charpack_parts_free.
ZO_API zo_status zo_charpack_open(const zo_source *sources, uint32_t source_count, const zo_compile_def *def,
                                  const zo_charpack_parts **parts, zo_report **report);
ZO_API void zo_charpack_parts_free(const zo_charpack_parts *parts);

#ifdef __cplusplus
}
#endif

#endif
