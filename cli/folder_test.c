// A library in a folder: what is read of it, and changes that are cut short at every call of the system's, by an error
// and by the end of the process. Stands in for the program: cli_say is here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"

static char said[4096];
void cli_say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    const size_t size = strlen(said);
    vsnprintf(said + size, sizeof said - size, format, list);
    va_end(list);
}

// ------------------------------------------------------------------------------------------------ calls that may fail

static int until_fault = -1; // calls that still work; -1: all of them
static bool fault_ends;      // the fault ends the process instead of being an error

static bool faulty(void) {
    if (until_fault < 0) { return false; }
    if (until_fault-- > 0) { return false; }
    if (fault_ends) { _exit(7); }
    errno = EIO;
    return true; // once
}

int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to) { return faulty() ? -1 : __real_link(from, to); }
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to) { return faulty() ? -1 : __real_rename(from, to); }
int __real_unlink(const char *path);
int __wrap_unlink(const char *path);
int __wrap_unlink(const char *path) { return faulty() ? -1 : __real_unlink(path); }
int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
int __wrap_fsync(int descriptor) { return faulty() ? -1 : __real_fsync(descriptor); }
ssize_t __real_write(int descriptor, const void *bytes, size_t size);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t size);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t size) {
    return faulty() ? -1 : __real_write(descriptor, bytes, size);
}

// ------------------------------------------------------------------------------------------------------------ a folder

static char dir[64];

static void path_in(const char *name, char path[512]) { snprintf(path, 512, "%s/%s", dir, name); }

static void put(const char *name, const char *text) {
    char path[512];
    path_in(name, path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void put_animation(const char *name, const char *id) {
    char text[512];
    snprintf(text, sizeof text,
             "{\"version\":1,\"id\":\"%s\",\"name\":\"N\",\"kind\":\"ambient\",\"durationMs\":9,"
             "\"repeat\":{\"mode\":\"loop\"},\"tracks\":[]}", id);
    put(name, text);
}

static int not_dots(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

// Every name in the folder with its content, in order: equal texts, equal folders.
static void look(char *text, size_t capacity) {
    struct dirent **names = NULL;
    const int count = scandir(dir, &names, not_dots, alphasort);
    assert_true(count >= 0);
    size_t size = 0;
    text[0] = 0;
    for (int i = 0; i < count; i++) {
        char path[512], content[600] = "";
        path_in(names[i]->d_name, path);
        FILE *file = fopen(path, "rb");
        if (file != NULL) {
            content[fread(content, 1, sizeof content - 1, file)] = 0;
            fclose(file);
        }
        size += (size_t)snprintf(text + size, capacity - size, "%s=%s;", names[i]->d_name, content);
        assert_true(size < capacity);
        free(names[i]);
    }
    free(names);
}

static void empty(void) {
    struct dirent **names = NULL;
    const int count = scandir(dir, &names, not_dots, NULL);
    for (int i = 0; i < count; i++) {
        char path[512];
        path_in(names[i]->d_name, path);
        if (unlink(path) != 0) { rmdir(path); }
        free(names[i]);
    }
    free(names);
}

static int set_up(void **state) {
    (void)state;
    snprintf(dir, sizeof dir, "%s/zoetrope-folder-XXXXXX", P_tmpdir);
    said[0] = 0;
    until_fault = -1;
    return mkdtemp(dir) == NULL;
}
static int tear_down(void **state) {
    (void)state;
    until_fault = -1;
    empty();
    return rmdir(dir);
}

static int open_folder(cli_folder *folder, bool write) {
    const zo_compile_def def = {0};
    return cli_folder_open(folder, dir, write, &def);
}

// ------------------------------------------------------------------------------------------------------------- reading

static void what_is_no_animation_is_passed_over_with_a_reason(void **state) {
    (void)state;
    put_animation("a_b.json", "a:b");
    put_animation("a_c.json", "builtin:c");
    put_animation("a_d.json", "a:b");
    put("a_e.json", "{ not JSON");
    put("a_f.json", "{\"format\":\"motion-pack\"}");
    put("a_g.txt", "no JSON name");
    put_animation(".a_h.json", "a:h");
    char path[512];
    path_in("a_i.json", path);
    assert_int_equal(mkdir(path, 0777), 0);
    put_animation("z.json", "a:z"); // the id counts, not the name
    cli_folder folder;
    assert_int_equal(open_folder(&folder, false), CLI_FINE);
    assert_int_equal(folder.count, 2);
    assert_non_null(cli_folder_find(&folder, "a:b"));
    assert_string_equal(cli_folder_find(&folder, "a:b")->file, "a_b.json");
    assert_string_equal(cli_folder_find(&folder, "a:z")->file, "z.json");
    assert_null(cli_folder_find(&folder, "a:h"));
    static const char *const passed[] = {"a_c.json", "a_d.json", "a_e.json", "a_f.json", "a_i.json"};
    assert_int_equal(folder.passed_count, 5);
    for (uint32_t i = 0; i < 5; i++) { assert_string_equal(folder.passed[i].file, passed[i]); }
    assert_non_null(strstr(folder.passed[0].why, "builtin"));
    assert_non_null(strstr(folder.passed[1].why, "a_b.json"));
    cli_folder_close(&folder);
}

static void names_of_files_are_ids_with_one_sign_exchanged(void **state) {
    (void)state;
    char *file = cli_folder_file_of("user:soft_landing-2");
    assert_string_equal(file, "user_soft_landing-2.json");
    free(file);
}

static void a_folder_that_is_not_there(void **state) {
    (void)state;
    char path[512];
    path_in("none", path);
    const zo_compile_def def = {0};
    cli_folder folder;
    assert_int_equal(cli_folder_open(&folder, path, false, &def), CLI_FILES);
    cli_folder_close(&folder);
    assert_int_equal(cli_folder_open(&folder, path, true, &def), CLI_FINE);
    cli_folder_close(&folder); // made, and nothing came of it
    assert_int_equal(access(path, F_OK), -1);
}

// ------------------------------------------------------------------------------------------------------------ changing

static const cli_change changes[] = {
    {"n_a.json", "[1]", 3}, {"old_b.json", NULL, 0}, {"n_c.json", "[22]", 4}, {"old_d.json", NULL, 0}};
enum { CHANGE_COUNT = sizeof changes / sizeof changes[0] };

static void fill(void) {
    empty();
    put_animation("old_b.json", "old:b");
    put_animation("old_d.json", "old:d");
    put_animation("old_e.json", "old:e");
}

static bool change(void) {
    cli_folder folder;
    bool fine = open_folder(&folder, true) == CLI_FINE;
    fine = fine && cli_folder_change(&folder, changes, CHANGE_COUNT);
    cli_folder_close(&folder);
    return fine;
}

static void changes_are_made(void **state) {
    (void)state;
    char text[4096];
    fill();
    assert_true(change());
    look(text, sizeof text);
    assert_non_null(strstr(text, "n_a.json=[1]\n;n_c.json=[22]\n;old_e.json="));
    assert_null(strstr(text, "old_b"));
    assert_null(strstr(text, ".zoetrope"));
}

static void what_is_there_is_not_replaced(void **state) {
    (void)state;
    char before[4096], after[4096];
    fill();
    put("n_c.json", "mine");
    look(before, sizeof before);
    assert_false(change());
    look(after, sizeof after);
    assert_string_equal(before, after);
    assert_non_null(strstr(said, "n_c.json"));
}

static void an_error_at_any_point_changes_nothing_or_all(void **state) {
    (void)state;
    char before[4096], done[4096], after[4096];
    fill();
    look(before, sizeof before);
    assert_true(change());
    look(done, sizeof done);
    int refused = 0;
    bool reached = true;
    for (int point = 0; reached; point++) {
        assert_true(point < 200);
        fill();
        until_fault = point;
        const bool fine = change();
        reached = until_fault < 0;
        until_fault = -1;
        cli_folder folder; // takes away what could not be taken away at once
        assert_int_equal(open_folder(&folder, true), CLI_FINE);
        cli_folder_close(&folder);
        look(after, sizeof after);
        assert_string_equal(after, fine ? done : before);
        refused += fine ? 0 : 1;
    }
    assert_true(refused > 8);
}

static void an_end_at_any_point_changes_nothing_or_all(void **state) {
    (void)state;
    char before[4096], done[4096], after[4096];
    fill();
    look(before, sizeof before);
    assert_true(change());
    look(done, sizeof done);
    int taken_back = 0;
    for (int point = 0;; point++) {
        assert_true(point < 200);
        fill();
        const pid_t child = fork();
        if (child == 0) {
            until_fault = point;
            fault_ends = true;
            _exit(change() ? 0 : 1);
        }
        int ended = 0;
        assert_int_equal(waitpid(child, &ended, 0), child);
        cli_folder folder;
        assert_int_equal(open_folder(&folder, true), CLI_FINE);
        cli_folder_close(&folder);
        look(after, sizeof after);
        const bool all = strcmp(after, done) == 0;
        assert_true(all || strcmp(after, before) == 0);
        taken_back += all ? 0 : 1;
        if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0) {
            assert_true(all);
            break;
        }
    }
    assert_true(taken_back > 8);
}

// 255 bytes are the longest name that file systems take.
static void a_name_may_be_as_long_as_names_can_be(void **state) {
    (void)state;
    char name[256], text[4096];
    memset(name, 'a', sizeof name);
    memcpy(name + 250, ".json", sizeof ".json");
    fill();
    const cli_change comes = {name, "[1]", 3}, goes = {name, NULL, 0};
    const cli_change *const steps[] = {&comes, &goes};
    for (uint32_t i = 0; i < 2; i++) {
        cli_folder folder;
        assert_int_equal(open_folder(&folder, true), CLI_FINE);
        assert_true(cli_folder_change(&folder, steps[i], 1));
        cli_folder_close(&folder);
        look(text, sizeof text);
        assert_int_equal(strstr(text, name) != NULL, i == 0);
        assert_null(strstr(text, ".zoetrope"));
    }
}

// The journal is a list of lines, so such a file could not be given back under its name.
static void a_name_with_a_line_end_is_passed_over(void **state) {
    (void)state;
    put_animation("a\nb.json", "a:b");
    cli_folder folder;
    assert_int_equal(open_folder(&folder, false), CLI_FINE);
    assert_int_equal(folder.count, 0);
    assert_int_equal(folder.passed_count, 1);
    cli_folder_close(&folder);
}

static void two_at_once_are_one_too_many(void **state) {
    (void)state;
    fill();
    cli_folder first, second;
    assert_int_equal(open_folder(&first, true), CLI_FINE);
    assert_int_equal(open_folder(&second, true), CLI_FILES);
    assert_non_null(strstr(said, "another program"));
    cli_folder_close(&second);
    cli_folder_close(&first);
    assert_int_equal(open_folder(&second, true), CLI_FINE);
    cli_folder_close(&second);
}

// A journal may be anybody's: it reaches nothing outside of the folder, and no hidden file.
static void a_journal_names_only_what_lies_in_the_folder(void **state) {
    (void)state;
    fill();
    put("out.txt", "x");
    char path[512], text[4096];
    path_in("sub", path);
    assert_int_equal(mkdir(path, 0777), 0);
    put("sub/.zoetrope-journal", "+../out.txt\n+/none\n+.hidden\n+\n\n*x\n-..\n");
    cli_folder folder;
    const zo_compile_def def = {0};
    assert_int_equal(cli_folder_open(&folder, path, true, &def), CLI_FINE);
    cli_folder_close(&folder);
    look(text, sizeof text);
    assert_non_null(strstr(text, "out.txt=x"));
    assert_int_equal(rmdir(path), 0); // empty
}

int main(void) {
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(what_is_no_animation_is_passed_over_with_a_reason),
        IN_A_FOLDER(names_of_files_are_ids_with_one_sign_exchanged),
        IN_A_FOLDER(a_folder_that_is_not_there),
        IN_A_FOLDER(changes_are_made),
        IN_A_FOLDER(what_is_there_is_not_replaced),
        IN_A_FOLDER(an_error_at_any_point_changes_nothing_or_all),
        IN_A_FOLDER(an_end_at_any_point_changes_nothing_or_all),
        IN_A_FOLDER(a_name_may_be_as_long_as_names_can_be),
        IN_A_FOLDER(a_name_with_a_line_end_is_passed_over),
        IN_A_FOLDER(two_at_once_are_one_too_many),
        IN_A_FOLDER(a_journal_names_only_what_lies_in_the_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
