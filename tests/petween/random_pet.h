// Pets and what happens to them, at random: a configuration and animations as the texts of their files, and calls. Every
// text is valid; what it names need not be there. For the tests of this folder.
#ifndef RANDOM_PET_H
#define RANDOM_PET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zoetrope/zoetrope.h>

enum { PET_ANIMATIONS_MAX = 7, PET_TEXT_MAX = 1 << 13 };

typedef struct random_pet {
    zo_profile profile;
    char config[PET_TEXT_MAX];
    char animations[PET_ANIMATIONS_MAX][PET_TEXT_MAX];
    uint32_t animation_count;
} random_pet;

uint64_t random_next(uint64_t *random);
uint32_t random_below(uint64_t *random, uint32_t bound);
double random_unit(uint64_t *random);
bool random_chance(uint64_t *random, uint32_t percent);

void random_pet_write(random_pet *pet, uint64_t *random);
zo_program *random_pet_compile(const random_pet *pet); // NULL: it does not, and why has been printed
void random_pet_print(const random_pet *pet);          // to the standard error

// A length of time: often one at which something else is due as well.
int64_t random_gap_ns(uint64_t *random);

// A call. What it points to lives in `of`, which must not move.
typedef struct random_material {
    double params[2];
    char source[8];
} random_material;
void random_input(zo_input *input, random_material *of, uint64_t *random, const zo_program *program, int64_t now_ns);
uint32_t random_call(zo_instance *instance, const zo_input *input); // makes it; returns as zo_timeline_add does

#endif
