// A petween pet as its document has it: a slice of the configuration with an id, a name, times, who made it and what
// companion plugins keep in it. Called by petween's interface; knows nothing of the store.
#ifndef HOST_PETWEEN_PET_H
#define HOST_PETWEEN_PET_H

#include "host/http_text.h"
#include "host/petween_config.h"

enum { PETWEEN_NAME_MAX = 120 }; // UTF-16 units of a pet's name

typedef struct petween_pet {
    char id[PETWEEN_PET_ID_MAX + 1];
    zo_text name;             // without white space around it
    zo_text created, updated; // times as texts, as the document has them; empty: it has none
    petween_slice slice;
    const zo_document *document; // borrowed, as the texts are
} petween_pet;

// false: the document is none, and why not is in *why, a clause. What is wrong within the slice is read leniently.
bool petween_pet_read(const zo_document *document, const petween_reading *reading, petween_pet *pet,
                      const char **why);
void petween_pet_write(cli_json *json, const char *key, const petween_pet *pet);

// A text as JSON, in quotes.
void petween_quote(http_text *json, zo_text text);
zo_text petween_trim(zo_text text);          // without the white space of Unicode around it
size_t petween_length(zo_text text);         // UTF-16 units
void petween_time(int64_t when_ms, char text[32]); // "2026-12-03T02:18:46.123Z"

// What is wrong with who made a pet, and with what plugins keep in it; nothing is said of null or of what is not there
// (value 0). Texts have the path in front.
typedef void (*petween_fault_fn)(void *context, const char *text);
void petween_attribution_check(const zo_document *document, uint32_t value, petween_fault_fn fault, void *context);
void petween_plugins_check(const zo_document *document, uint32_t value, petween_fault_fn fault, void *context);
// As JSON objects of what is known of them. false: nothing was written, there is nothing or it is wrong.
bool petween_attribution_write(http_text *json, const zo_document *document, uint32_t value);
bool petween_plugins_write(http_text *json, const zo_document *document, uint32_t value);
// What there is with a patch put over it, member by member; null takes one away. Members that nobody knows stay.
void petween_attribution_merge(http_text *json, const zo_document *document, uint32_t value, const zo_document *patch,
                               uint32_t patch_value);
// The plugins of a record with those of a later collection in place of their namesakes.
void petween_plugins_merge(http_text *json, const zo_document *document, uint32_t value, const zo_document *later,
                           uint32_t later_value);

#endif
