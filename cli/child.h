// Other programs that do a part of the work: started without a shell, with what they say kept. For whoever needs one.
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <stdio.h>
#include <sys/types.h>

// Starts words[0], found as a shell would, with `input` as its standard input and all that it says going to `told`; a
// NULL ends the words. A signal that ends us ends it too. Returns an error number or 0.
int cli_child_start(const char *const *words, int input, FILE *told, pid_t *child);
int cli_child_wait(pid_t child); // its status as of waitpid
// "PROGRAM cannot make 'PATH':" and the end of what it said, without the line that is cut.
void cli_child_say_told(FILE *told, const char *program, const char *path);

#endif
