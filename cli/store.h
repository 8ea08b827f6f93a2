// The library's file as the commands open it: where it lies when nothing is said, and what is said when it cannot be
// opened or a change is refused.
#ifndef CLI_STORE_H
#define CLI_STORE_H

#include "cli.h"
#include "host/store.h"

// The file that --library names, or else library.db in the user's data folder. `make`: the user's data folder is made
// where it is not there; a folder that --library names never is. malloc; NULL: said why, and *code is set.
char *cli_store_path(const cli_args *args, bool make, int *code);

// The exit code that a status deserves.
int cli_store_code(store_status status);

#endif
