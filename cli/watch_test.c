// Files that are saved in the ways in which people's editors save them, seen by looking.
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "watch.h"

static char folder[256], file[300], other[300];

static void put(const char *path, const char *text, const char *mode) {
    FILE *out = fopen(path, mode);
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static int begin(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/watch-test-XXXXXX", base != NULL ? base : P_tmpdir);
    if (mkdtemp(folder) == NULL) { return -1; }
    snprintf(file, sizeof file, "%s/a.json", folder);
    snprintf(other, sizeof other, "%s/b.json", folder);
    put(file, "one", "w");
    return 0;
}

static int end(void **state) {
    (void)state;
    unlink(file);
    unlink(other);
    return rmdir(folder);
}

// What so many looks say, as letters: Same, changinG, Changed.
static const char *looks(cli_watch *watch, uint32_t count) {
    static char said[32];
    for (uint32_t i = 0; i < count; i++) {
        const char *path;
        const cli_watch_state now = cli_watch_look(watch, &path);
        said[i] = now == CLI_WATCH_SAME ? 'S' : now == CLI_WATCH_CHANGING ? 'G' : 'C';
        if (now == CLI_WATCH_CHANGED) { assert_non_null(path); }
    }
    said[count] = 0;
    return said;
}

static void a_change_is_told_once_it_rests(void **state) {
    (void)state;
    cli_watch watch = {0};
    assert_true(cli_watch_add(&watch, file));
    assert_string_equal(looks(&watch, 3), "SSS");
    put(file, "two two", "w");
    assert_string_equal(looks(&watch, 4), "GCSS");
    put(file, "a", "a"); // written bit by bit
    assert_string_equal(looks(&watch, 1), "G");
    put(file, "b", "a");
    assert_string_equal(looks(&watch, 1), "G");
    put(file, "c", "a");
    assert_string_equal(looks(&watch, 4), "GCSS");
    cli_watch_free(&watch);
}

static void a_file_may_be_replaced_by_one_like_it(void **state) {
    (void)state;
    cli_watch watch = {0};
    struct stat was;
    assert_true(cli_watch_add(&watch, file));
    assert_int_equal(stat(file, &was), 0);
    put(other, "ONE", "w"); // as long, and as old: only the inode tells
    const struct timespec times[2] = {was.st_atim, was.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, other, times, 0), 0);
    assert_int_equal(rename(other, file), 0);
    assert_string_equal(looks(&watch, 3), "GCS");
    cli_watch_free(&watch);
}

static void a_file_may_be_gone_for_a_moment(void **state) {
    (void)state;
    cli_watch watch = {0};
    assert_true(cli_watch_add(&watch, file));
    assert_int_equal(rename(file, other), 0);
    assert_string_equal(looks(&watch, 3), "GGG");
    assert_int_equal(rename(other, file), 0); // as it was
    assert_string_equal(looks(&watch, 3), "SSS");
    unlink(file);
    assert_string_equal(looks(&watch, 4), "GGGG");
    put(file, "new", "w");
    assert_string_equal(looks(&watch, 3), "GCS");
    unlink(file);
    const char *said = looks(&watch, 12);
    assert_non_null(strchr(said, 'C')); // for good
    assert_true(strchr(said, 'C') - said >= 5);
    assert_string_equal(looks(&watch, 2), "SS");
    put(file, "back", "w");
    assert_string_equal(looks(&watch, 3), "GCS");
    cli_watch_free(&watch);
}

static void a_folder_tells_of_what_is_put_there(void **state) {
    (void)state;
    cli_watch watch = {0};
    const char *path;
    assert_true(cli_watch_add(&watch, folder));
    assert_true(cli_watch_add(&watch, file));
    assert_true(cli_watch_add(&watch, other)); // it need not be there
    assert_string_equal(looks(&watch, 2), "SS");
    usleep(20000); // a folder's time may be coarse
    put(other, "x", "w");
    assert_int_equal(cli_watch_look(&watch, &path), CLI_WATCH_CHANGING);
    assert_int_equal(cli_watch_look(&watch, &path), CLI_WATCH_CHANGED);
    assert_string_equal(path, other); // the file rather than the folder
    cli_watch_free(&watch);
}

static void what_is_not_added_again_is_forgotten(void **state) {
    (void)state;
    cli_watch watch = {0};
    assert_true(cli_watch_add(&watch, file));
    put(file, "changed before it was added again", "w");
    cli_watch_begin(&watch);
    assert_true(cli_watch_add(&watch, other));
    assert_true(cli_watch_add(&watch, file)); // stays as it was seen
    cli_watch_end(&watch);
    assert_int_equal(watch.count, 2);
    assert_string_equal(looks(&watch, 3), "GCS");
    cli_watch_begin(&watch);
    assert_true(cli_watch_add(&watch, other));
    cli_watch_end(&watch);
    assert_int_equal(watch.count, 1);
    put(file, "nobody looks", "w");
    assert_string_equal(looks(&watch, 3), "SSS");
    cli_watch_free(&watch);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_change_is_told_once_it_rests), TEST(a_file_may_be_replaced_by_one_like_it),
        TEST(a_file_may_be_gone_for_a_moment), TEST(a_folder_tells_of_what_is_put_there),
        TEST(what_is_not_added_again_is_forgotten)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
