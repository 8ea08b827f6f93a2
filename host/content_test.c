// Contents: reserved ids, references of petween texts, and what they forbid.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/content.h"

typedef struct stage {
    char folder[64], path[96];
    store *store;
    store_txn *txn;
} stage;

static void open_stage(stage *s) {
    store_error error;
    *s = (stage){.folder = "/tmp/content-test-XXXXXX"};
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->path, sizeof s->path, "%s/library.sqlite", s->folder);
    assert_int_equal(store_open(s->path, &(store_def){0}, &s->store, &error), STORE_OK);
    assert_int_equal(store_begin(s->store, STORE_WRITE, &s->txn, &error), STORE_OK);
}

static void close_stage(stage *s) {
    store_rollback(s->txn);
    store_close(s->store);
    unlink(s->path);
    assert_int_equal(rmdir(s->folder), 0); // nothing else is left behind
}

static void put_animation(const stage *s, const char *id, const char *kind) {
    const store_file file = {.bytes = "{}", .size = 2};
    const store_put put = {.area = STORE_ITEM, .id = id, .format = "petween", .kind = kind, .files = &file,
                           .file_count = 1, .expected = STORE_ANY};
    assert_int_equal(store_put_item(s->txn, &put, NULL), STORE_OK);
}

static void put_pet(const stage *s, store_area area, const char *id, const char *text) {
    store_use *uses = NULL;
    uint32_t count = 0;
    assert_int_equal(content_petween_uses(area, text, strlen(text), &uses, &count), STORE_OK);
    const store_file file = {.bytes = text, .size = strlen(text)};
    const store_put put = {.area = area, .id = id, .files = &file, .file_count = 1, .uses = uses, .use_count = count,
                           .expected = STORE_ANY};
    assert_int_equal(store_put_item(s->txn, &put, NULL), STORE_OK);
    free(uses);
}

static void reserved_ids(void **state) {
    (void)state;
    assert_non_null(content_reserved("builtin:jelly"));
    assert_non_null(content_reserved("user:0draft"));
    assert_null(content_reserved("user:0draft-2"));
    assert_null(content_reserved("builtins:jelly"));
}

static void kinds(void **state) {
    (void)state;
    static const char last[] = "{\"kind\":\"ambient\",\"kind\":\"trans\\u0069tion\"}", none[] = "{\"kind\":\"walk\"}";
    assert_string_equal(content_kind_of(last, strlen(last)), "transition");
    assert_null(content_kind_of(none, strlen(none)));
    assert_null(content_kind_of("[]", 2));
    assert_null(content_kind_of("{\"kind\":", 8));
    assert_null(content_kind_of("{\"kind\":7}", 10));
}

static void references(void **state) {
    (void)state;
    static const char text[] =
        "{\"states\":{\"idle\":{\"enter\":{\"animationId\":\"user:a\"},\"ambient\":{\"customAnimationId\":null}},"
        "\"error\":{\"enter\":{\"animationId\":\"builtin:jelly\"},"
        "\"ambient\":{\"customAnimationId\":\"u\\u0073er:b\"}},"
        "\"other\":{\"enter\":{\"animationId\":\"user:c\"}}},\"poses\":{\"idle\":{\"assetId\":\"0123456789abcdef\"}},"
        "\"interactions\":{\"click\":{\"animation\":\"user:d\"}}}";
    store_use *uses = NULL;
    uint32_t count = 0;
    assert_int_equal(content_petween_uses(STORE_CONFIG, text, strlen(text), &uses, &count), STORE_OK);
    assert_int_equal(count, 4);
    assert_string_equal(uses[0].to, "user:a");
    assert_string_equal(uses[0].where, "/states/idle/enter/animationId");
    assert_string_equal(uses[0].role, "enter");
    assert_string_equal(uses[1].to, "0123456789abcdef");
    assert_int_equal(uses[1].to_area, STORE_ASSET);
    assert_string_equal(uses[2].to, "user:b");
    assert_string_equal(uses[2].role, "ambient");
    assert_string_equal(uses[3].to, "user:d");
    free(uses);
    assert_int_equal(content_petween_uses(STORE_PET, text, strlen(text), &uses, &count), STORE_OK);
    assert_int_equal(count, 3); // a pet has no click
    free(uses);
    assert_int_equal(content_petween_uses(STORE_PET, "{}", 2, &uses, &count), STORE_OK);
    assert_null(uses);
    assert_int_equal(content_petween_uses(STORE_PET, "{", 1, &uses, &count), STORE_INVALID);
    assert_null(uses);
}

static void what_is_used_stays(void **state) {
    (void)state;
    stage s;
    store_error error;
    open_stage(&s);
    put_animation(&s, "user:a", "transition");
    put_animation(&s, "user:b", "ambient");
    put_pet(&s, STORE_PET, "pet-1", "{\"states\":{\"working\":{\"enter\":{\"animationId\":\"user:a\"}}}}");
    assert_int_equal(content_kind_guard(s.txn, "user:a", "transition", &error), STORE_OK);
    assert_int_equal(content_kind_guard(s.txn, "user:b", "transition", &error), STORE_OK); // nobody uses it
    assert_int_equal(content_kind_guard(s.txn, "user:none", "transition", &error), STORE_OK);
    assert_int_equal(content_kind_guard(s.txn, "user:a", "ambient", &error), STORE_IN_USE);
    assert_int_equal(error.use_count, 1);
    assert_string_equal(error.uses[0].from, "pet-1");
    assert_int_equal(error.uses[0].from_area, STORE_PET);
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "user:a", STORE_ANY, &error), STORE_IN_USE);
    assert_string_equal(error.uses[0].where, "/states/working/enter/animationId");
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "user:b", STORE_ANY, &error), STORE_OK);
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "user:b", STORE_ANY, &error), STORE_NOT_FOUND);
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "builtin:jelly", STORE_ANY, &error), STORE_INVALID);
    assert_int_equal(content_delete(s.txn, STORE_PET, "pet-1", STORE_ANY, &error), STORE_OK);
    assert_int_equal(content_delete(s.txn, STORE_ITEM, "user:a", STORE_ANY, &error), STORE_OK);
    close_stage(&s);
}

static const char soft[] = "{ \"version\":1,\"id\":\"user:soft\",\"kind\":\"transition\",\"name\":\"Soft\","
                           "\"x-mine\":1.50,\"durationMs\":1e2}";

static void packs_of_what_is_stored(void **state) {
    (void)state;
    stage s;
    store_error error;
    zo_pack *pack = NULL;
    open_stage(&s);
    const store_file file = {.bytes = soft, .size = sizeof soft - 1};
    const store_put put = {.area = STORE_ITEM, .id = "user:soft", .format = "petween", .files = &file, .file_count = 1,
                           .expected = STORE_ANY};
    assert_int_equal(store_put_item(s.txn, &put, NULL), STORE_OK);
    assert_int_equal(content_export_pack(s.txn, " user:soft ,,\xC2\xA0user:soft", NULL, &pack, &error), STORE_OK);
    assert_int_equal(pack->id_count, 1);
    assert_string_equal(pack->pack_namespace, "user");
    assert_non_null(strstr(pack->text.data, "\"x-mine\":1.50,\"durationMs\":1e2}")); // byte for byte
    zo_pack_free(pack);
    assert_int_equal(content_export_pack(s.txn, "user:soft,user:none,../x", "Mine", &pack, &error), STORE_INVALID);
    assert_int_equal(pack->unknown_count, 2);
    assert_string_equal(pack->unknown[0], "user:none");
    assert_string_equal(pack->unknown[1], "../x");
    zo_pack_free(pack);
    assert_int_equal(content_export_pack(s.txn, " , ", NULL, &pack, &error), STORE_INVALID);
    assert_int_equal(pack->unknown_count, 0);
    zo_pack_free(pack);
    close_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reserved_ids),
        cmocka_unit_test(kinds),
        cmocka_unit_test(references),
        cmocka_unit_test(what_is_used_stays),
        cmocka_unit_test(packs_of_what_is_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
