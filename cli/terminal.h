// The terminal that the program was started in: taken over for the whole screen, asked for its size, read from, and
// given back as it was on every way out, signals included. Called by play.c; there is one terminal, so its state is
// global here.
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "cli.h"

typedef struct cli_terminal_size {
    uint32_t columns, rows;
    uint32_t cell_width, cell_height; // px; 0: the terminal does not say
} cli_terminal_size;

bool cli_terminal_here(void);       // keys can be read and a screen can be shown
bool cli_terminal_true_color(void); // as the environment has it
// Raw keys, the other screen, no cursor, no wrapping of lines, reports of the mouse. `on_leave` is sent before all that
// is taken back, "" for nothing. false: said.
bool cli_terminal_enter(const char *on_leave);
void cli_terminal_leave(void); // also when not entered
cli_terminal_size cli_terminal_get_size(void);
bool cli_terminal_write(const char *bytes, size_t size); // false: it is gone

// What there is to do, as bits; 0: `wait_ns` is over (< 0: never).
enum {
    CLI_WAKE_BYTES = 1,
    CLI_WAKE_RESIZED = 2,
    CLI_WAKE_SUSPEND = 4,  // somebody wants the program stopped: call cli_terminal_suspend
    CLI_WAKE_RETURNED = 8, // from having been stopped: all is to be shown anew
    CLI_WAKE_GONE = 16,    // no more keys will come
};
uint32_t cli_terminal_wait(int64_t wait_ns);
size_t cli_terminal_read(uint8_t *bytes, size_t capacity); // after CLI_WAKE_BYTES
void cli_terminal_suspend(void); // gives the terminal back and stops; when continued it is entered anew

#endif
