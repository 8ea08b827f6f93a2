// Replies of the general interface that are kept in memory: what things are, and their first files. Bounded in bytes;
// what was asked for longest ago goes first. A change of a thing drops what is kept of it, and keeps out what was being
// read meanwhile: each place of a small table counts the changes of the things that fall on it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host/api_internal.h"

enum { BUCKETS = 8192, MARKS = 1024 }; // powers of two
static const size_t one_max = (size_t)4 << 20; // bytes of one reply that is kept

typedef struct entry {
    struct entry *next;           // in its bucket
    struct entry *newer, *older;  // by when it was asked for
    http_body *body;
    size_t weight;
    uint64_t hash; // of area and id
    api_view view;
    store_area area;
    char id[];
} entry;

struct api_cache {
    pthread_mutex_t lock;
    size_t size, size_max;
    uint64_t hits, misses;
    entry *newest, *oldest;
    entry *buckets[BUCKETS];
    uint64_t marks[MARKS]; // changes of things that fall here
};

static uint64_t hash_of(store_area area, const char *id) { // FNV-1a
    uint64_t hash = 14695981039346656037u ^ (uint64_t)area;
    for (; *id != 0; id++) { hash = (hash ^ (unsigned char)*id) * 1099511628211u; }
    return hash ^ hash >> 32;
}

api_cache *api_cache_new(size_t size) {
    api_cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL) { return NULL; }
    if (pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache);
        return NULL;
    }
    cache->size_max = size;
    return cache;
}

// ---- Under the lock ----

static entry **place_of(api_cache *cache, uint64_t hash, api_view view, store_area area, const char *id) {
    entry **at = &cache->buckets[hash & (BUCKETS - 1)];
    while (*at != NULL && ((*at)->hash != hash || (*at)->view != view || (*at)->area != area ||
                           strcmp((*at)->id, id) != 0)) {
        at = &(*at)->next;
    }
    return at;
}

static void unlink_age(api_cache *cache, entry *one) {
    *(one->newer != NULL ? &one->newer->older : &cache->newest) = one->older;
    *(one->older != NULL ? &one->older->newer : &cache->oldest) = one->newer;
}

static void link_newest(api_cache *cache, entry *one) {
    one->newer = NULL;
    one->older = cache->newest;
    *(one->older != NULL ? &one->older->newer : &cache->oldest) = one;
    cache->newest = one;
}

static void drop(api_cache *cache, entry **place) {
    entry *one = *place;
    *place = one->next;
    unlink_age(cache, one);
    cache->size -= one->weight;
    http_body_free(one->body); // whoever is sending it keeps it
    free(one);
}

// ---- From anywhere ----

void api_cache_free(api_cache *cache) {
    if (cache == NULL) { return; }
    for (size_t i = 0; i < BUCKETS; i++) {
        while (cache->buckets[i] != NULL) { drop(cache, &cache->buckets[i]); }
    }
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

http_body *api_cache_get(api_cache *cache, api_view view, store_area area, const char *id) {
    const uint64_t hash = hash_of(area, id);
    http_body *body = NULL;
    pthread_mutex_lock(&cache->lock);
    entry *one = *place_of(cache, hash, view, area, id);
    if (one != NULL) {
        body = http_body_keep(one->body);
        if (one != cache->newest) {
            unlink_age(cache, one);
            link_newest(cache, one);
        }
        cache->hits++;
    }
    pthread_mutex_unlock(&cache->lock);
    return body;
}

uint64_t api_cache_mark(api_cache *cache, store_area area, const char *id) {
    const uint64_t hash = hash_of(area, id);
    pthread_mutex_lock(&cache->lock);
    const uint64_t mark = cache->marks[hash & (MARKS - 1)];
    cache->misses++;
    pthread_mutex_unlock(&cache->lock);
    return mark;
}

void api_cache_put(api_cache *cache, api_view view, store_area area, const char *id, uint64_t mark, http_body *body,
                   size_t size) {
    const uint64_t hash = hash_of(area, id);
    const size_t id_size = strlen(id) + 1, weight = sizeof(entry) + id_size + size + 1024; // with what a reply weighs
    if (size > one_max || weight > cache->size_max) { return; }
    entry *one = malloc(sizeof *one + id_size);
    if (one == NULL) { return; } // it is read again next time
    *one = (entry){.body = http_body_keep(body), .weight = weight, .hash = hash, .view = view, .area = area};
    memcpy(one->id, id, id_size);
    pthread_mutex_lock(&cache->lock);
    entry **place = place_of(cache, hash, view, area, id);
    const bool is_right = cache->marks[hash & (MARKS - 1)] == mark;
    if (is_right) {
        if (*place != NULL) { drop(cache, place); }
        one->next = cache->buckets[hash & (BUCKETS - 1)];
        cache->buckets[hash & (BUCKETS - 1)] = one;
        link_newest(cache, one);
        cache->size += weight;
        while (cache->size > cache->size_max) { // never the new one: it fits
            const entry *last = cache->oldest;
            drop(cache, place_of(cache, last->hash, last->view, last->area, last->id));
        }
    }
    pthread_mutex_unlock(&cache->lock);
    if (!is_right) {
        http_body_free(one->body);
        free(one);
    }
}

void api_cache_forget(api_cache *cache, store_area area, const char *id) {
    const uint64_t hash = hash_of(area, id);
    pthread_mutex_lock(&cache->lock);
    cache->marks[hash & (MARKS - 1)]++;
    for (int view = 0; view < API_VIEWS; view++) {
        entry **place = place_of(cache, hash, (api_view)view, area, id);
        if (*place != NULL) { drop(cache, place); }
    }
    pthread_mutex_unlock(&cache->lock);
}

void api_cache_metrics(api_cache *cache, uint64_t *size, uint64_t *hits, uint64_t *misses) {
    pthread_mutex_lock(&cache->lock);
    *size = cache->size;
    *hits = cache->hits;
    *misses = cache->misses;
    pthread_mutex_unlock(&cache->lock);
}
