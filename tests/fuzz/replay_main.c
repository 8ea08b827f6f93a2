// Runs a fuzzer's one function over files and over all files of folders, without libFuzzer: so every build, whatever its
// compiler, is held to what was once found. Called by CTest. Prints how many; says which file it stood at when it dies.
#include <dirent.h>
#include <sys/stat.h>

#include "fuzz.h"

// Named by the custom mutators, which nothing calls here.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) {
    (void)data;
    return size < max_size ? size : max_size;
}

static uint32_t run_count;

static void run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    uint8_t *bytes = fuzz_take((size_t)size, 1);
    MUST(fread(bytes, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    fprintf(stderr, "\r%s\033[K", path);
    LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
    run_count++;
}

static void run_path(const char *path) {
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode)) {
        run_file(path);
        return;
    }
    DIR *folder = opendir(path);
    if (folder == NULL) { return; } // nothing was found yet
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        char inside[4096];
        if (entry->d_name[0] == '.') { continue; }
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        run_file(inside);
    }
    closedir(folder);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) { run_path(argv[i]); }
    fprintf(stderr, "\r\033[K");
    printf("%u inputs\n", run_count);
    return run_count > 0 ? 0 : 1;
}
