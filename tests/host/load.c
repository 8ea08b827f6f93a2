// What a stored program holds, for tests/host/api.py: reads one from the standard input, and prints the listing that
// `zoetrope dump` prints of its source. Exit 1: it is none.
#include <stdio.h>
#include <stdlib.h>

#include <zoetrope/zoetrope.h>

static bool to_stdout(void *context, const void *bytes, size_t size) {
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size;
}

int main(void) {
    enum { ROOM = 1 << 24 };
    char *bytes = malloc(ROOM);
    if (bytes == NULL) { return 2; }
    const size_t size = fread(bytes, 1, ROOM, stdin);
    zo_program *program = NULL;
    const zo_status status = zo_load(bytes, size, NULL, &program);
    const bool fine = status == ZO_OK && zo_program_dump(program, to_stdout, NULL);
    zo_program_free(program);
    free(bytes);
    return fine ? 0 : 1;
}
