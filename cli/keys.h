// From the bytes that a terminal sends to keys: characters, arrows, mouse buttons. A byte at a time and without
// waiting, so whoever reads may be interrupted anywhere. Called by play.c; knows no terminal.
#ifndef CLI_KEYS_H
#define CLI_KEYS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum cli_key_kind {
    CLI_KEY_CHARACTER,
    CLI_KEY_ESCAPE,
    CLI_KEY_UP,
    CLI_KEY_DOWN,
    CLI_KEY_RIGHT,
    CLI_KEY_LEFT,
    CLI_KEY_HOME,
    CLI_KEY_END,
    CLI_KEY_PRESS, // the left button of a mouse
} cli_key_kind;

typedef struct cli_key {
    cli_key_kind kind;
    uint32_t code;        // CHARACTER: of Unicode
    uint32_t column, row; // PRESS: from 0
} cli_key;

typedef struct cli_keys { // all zero: nothing has come yet
    uint8_t bytes[32]; // of what has begun and is not whole; what is longer is nothing that we know
    uint32_t count;
    uint32_t mode;     // inside
    bool pasting;      // text that was pasted is no keys
} cli_keys;

bool cli_keys_take(cli_keys *keys, uint8_t byte, cli_key *key); // true: that makes a key
bool cli_keys_wait(const cli_keys *keys);                       // something has begun
// Nothing more came for a while: an escape by itself is the key, anything else is given up.
bool cli_keys_give_up(cli_keys *keys, cli_key *key);

#endif
