// See keys.h. Control sequences are those of ECMA-48, and of xterm: https://invisible-island.net/xterm/ctlseqs/
#include <string.h>

#include "keys.h"

enum { PLAIN, UTF8, ESCAPED, CONTROL, SHIFTED, STRING, STRING_ESCAPED, OLD_MOUSE, CONSOLE };
enum { ESC = 0x1B };

static void begin(cli_keys *keys, uint32_t mode) {
    keys->mode = mode;
    keys->count = 0;
}

static void note(cli_keys *keys, uint8_t byte) {
    if (keys->count < sizeof keys->bytes) { keys->bytes[keys->count] = byte; }
    keys->count += keys->count <= sizeof keys->bytes; // one more than there is room for: too long
}

static bool character(const cli_keys *keys, uint32_t code, cli_key *key) {
    *key = (cli_key){.kind = CLI_KEY_CHARACTER, .code = code};
    return !keys->pasting;
}

static bool take_plain(cli_keys *keys, uint8_t byte, cli_key *key) {
    if (byte == ESC) {
        begin(keys, ESCAPED);
        return false;
    }
    if (byte < 0x80) { return character(keys, byte, key); }
    if (byte < 0xC2 || byte > 0xF4) { return false; }
    begin(keys, UTF8);
    note(keys, byte);
    return false;
}

static bool take_utf8(cli_keys *keys, uint8_t byte, cli_key *key) {
    if (byte < 0x80 || byte > 0xBF) { // broken off; what broke it counts
        begin(keys, PLAIN);
        return take_plain(keys, byte, key);
    }
    note(keys, byte);
    const uint32_t size = keys->bytes[0] < 0xE0 ? 2 : keys->bytes[0] < 0xF0 ? 3 : 4;
    if (keys->count < size) { return false; }
    uint32_t code = keys->bytes[0] & (0xFFu >> (size + 1));
    for (uint32_t i = 1; i < size; i++) { code = code << 6 | (keys->bytes[i] & 0x3Fu); }
    begin(keys, PLAIN);
    return character(keys, code, key);
}

static bool named(const cli_keys *keys, uint8_t final, cli_key *key) {
    static const struct { char final; cli_key_kind kind; } names[] = {
        {'A', CLI_KEY_UP},   {'B', CLI_KEY_DOWN}, {'C', CLI_KEY_RIGHT},
        {'D', CLI_KEY_LEFT}, {'H', CLI_KEY_HOME}, {'F', CLI_KEY_END}};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (final != names[i].final) { continue; }
        *key = (cli_key){.kind = names[i].kind};
        return !keys->pasting;
    }
    return false;
}

// Up to three numbers with ; between them, behind an optional sign.
static uint32_t numbers(const cli_keys *keys, uint32_t from, uint32_t values[3]) {
    uint32_t n = 0;
    values[0] = values[1] = values[2] = 0;
    for (uint32_t i = from; i < keys->count && n < 3; i++) {
        const uint8_t byte = keys->bytes[i];
        if (byte == ';') {
            n++;
        } else if (byte >= '0' && byte <= '9' && values[n] < 100000) {
            values[n] = values[n] * 10 + (uint32_t)(byte - '0');
        }
    }
    return n + 1;
}

static bool end_control(cli_keys *keys, uint8_t final, cli_key *key) {
    uint32_t v[3];
    const bool whole = keys->count <= sizeof keys->bytes, mouse = keys->count > 0 && keys->bytes[0] == '<';
    const uint32_t count = whole ? numbers(keys, mouse ? 1 : 0, v) : 0;
    if (final == 'M' && keys->count == 0) { // the three bytes of an old mouse follow
        begin(keys, OLD_MOUSE);
        return false;
    }
    begin(keys, PLAIN);
    if (!whole) { return false; }
    if (mouse) {
        // Buttons are 0 to 2, and 4, 8 and 16 for keys held with them; 32 is a move, 64 the wheel.
        if (final != 'M' || count < 3 || (v[0] & ~28u) != 0 || v[1] == 0 || v[2] == 0) { return false; }
        *key = (cli_key){.kind = CLI_KEY_PRESS, .column = v[1] - 1, .row = v[2] - 1};
        return !keys->pasting;
    }
    if (final != '~') { return named(keys, final, key); }
    switch (v[0]) {
    case 1:
    case 7: return named(keys, 'H', key);
    case 4:
    case 8: return named(keys, 'F', key);
    case 200: keys->pasting = true; break;
    case 201: keys->pasting = false; break;
    default: break;
    }
    return false;
}

static bool take_escaped(cli_keys *keys, uint8_t byte, cli_key *key) {
    switch (byte) {
    case '[': begin(keys, CONTROL); break;
    case 'O': begin(keys, SHIFTED); break;
    case 'P': // strings that a terminal answers with
    case ']':
    case '^':
    case '_':
    case 'X': begin(keys, STRING); break;
    case ESC: // one by itself, and another that may begin something
        *key = (cli_key){.kind = CLI_KEY_ESCAPE};
        return !keys->pasting;
    default: begin(keys, PLAIN); break; // with Alt: none of ours
    }
    return false;
}

static bool take_control(cli_keys *keys, uint8_t byte, cli_key *key) {
    if (byte == ESC) {
        begin(keys, ESCAPED);
    } else if (byte == '[' && keys->count == 0) {
        begin(keys, CONSOLE); // function keys of Linux's own terminal
    } else if (byte >= 0x40 && byte <= 0x7E) {
        return end_control(keys, byte, key);
    } else if (byte >= 0x20) {
        note(keys, byte);
    }
    return false;
}

bool cli_keys_take(cli_keys *keys, uint8_t byte, cli_key *key) {
    switch (keys->mode) {
    case UTF8: return take_utf8(keys, byte, key);
    case ESCAPED: return take_escaped(keys, byte, key);
    case CONTROL: return take_control(keys, byte, key);
    case SHIFTED: begin(keys, PLAIN); return named(keys, byte, key);
    case CONSOLE: begin(keys, PLAIN); return false;
    case STRING:
        if (byte == 0x07) { begin(keys, PLAIN); }
        if (byte == ESC) { begin(keys, STRING_ESCAPED); }
        return false;
    case STRING_ESCAPED: begin(keys, byte == '\\' ? PLAIN : STRING); return false;
    case OLD_MOUSE:
        note(keys, byte);
        if (keys->count < 3) { return false; }
        begin(keys, PLAIN);
        if (keys->bytes[0] != 0x20 || keys->bytes[1] < 0x21 || keys->bytes[2] < 0x21) { return false; }
        *key = (cli_key){.kind = CLI_KEY_PRESS, .column = keys->bytes[1] - 0x21u, .row = keys->bytes[2] - 0x21u};
        return !keys->pasting;
    default: return take_plain(keys, byte, key);
    }
}

bool cli_keys_wait(const cli_keys *keys) { return keys->mode != PLAIN; }

bool cli_keys_give_up(cli_keys *keys, cli_key *key) {
    const bool alone = keys->mode == ESCAPED && !keys->pasting;
    begin(keys, PLAIN);
    *key = (cli_key){.kind = CLI_KEY_ESCAPE};
    return alone;
}
