// See terminal.h. Signals that end the program are not left to its main loop: their handler gives the terminal back
// itself, by calls that POSIX allows there, so that a slow load or a bug cannot keep it. Those that only ask for
// something are held except while waiting, so none is missed.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include "terminal.h"

// Other screen, no cursor, no wrapping, buttons of the mouse with exact places, pasted text marked as such.
static const char enter_text[] = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?1000h\x1b[?1006h\x1b[?2004h";
// The first ends a sequence or picture that a signal has cut in two; 2026 is a frame that was not finished.
static const char break_text[] = "\x1b\\\x1b[?2026l";
static const char leave_text[] = "\x1b[0m\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[?7h\x1b[?25h\x1b[?1049l";

static struct termios before; // what the terminal is given back as
static volatile sig_atomic_t entered;
static const char *volatile leaving_text = "";
static volatile sig_atomic_t resized, suspend, returned;
static sigset_t waiting_mask; // with nothing of ours held
static bool handled;

bool cli_terminal_here(void) { return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0; }

bool cli_terminal_true_color(void) {
    static const char *const known[] = {"direct", "truecolor", "kitty", "alacritty", "foot", "wezterm", "ghostty",
                                        "contour"};
    const char *color = getenv("COLORTERM"), *terminal = getenv("TERM");
    if (color != NULL && (strcmp(color, "truecolor") == 0 || strcmp(color, "24bit") == 0)) { return true; }
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof known[0] && terminal != NULL; i++) {
        is_known = is_known || strstr(terminal, known[i]) != NULL;
    }
    return is_known;
}

// ---------------------------------------------------------------------------------------------------- giving back

// In the handler. A terminal that takes nothing must not keep the program alive: it is waited for only so long.
static void send_now(const char *text) {
    size_t size = strlen(text);
    while (size > 0) {
        struct pollfd one = {.fd = STDOUT_FILENO, .events = POLLOUT};
        if (poll(&one, 1, 1000) <= 0 || (one.revents & POLLOUT) == 0) { return; }
        const ssize_t sent = write(STDOUT_FILENO, text, size);
        if (sent < 0 && errno != EINTR) { return; }
        text += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
}

static const char *leaving_texts(uint32_t index) {
    return index == 0 ? break_text : index == 1 ? leaving_text : index == 2 ? leave_text : NULL;
}

void cli_terminal_leave(void) {
    if (entered == 0) { return; }
    for (uint32_t i = 0; leaving_texts(i) != NULL; i++) {
        cli_terminal_write(leaving_texts(i), strlen(leaving_texts(i)));
    }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    tcflush(STDIN_FILENO, TCIFLUSH); // what a mouse still had to say is nothing for the shell
    entered = 0;                     // not before: a signal on the way would leave it at that
}

static void on_end(int number) {
    const int error = errno;
    if (entered != 0) {
        entered = 0;
        tcsetattr(STDIN_FILENO, TCSANOW, &before); // first: it cannot be kept waiting
        for (uint32_t i = 0; leaving_texts(i) != NULL; i++) { send_now(leaving_texts(i)); }
        tcflush(STDIN_FILENO, TCIFLUSH);
    }
    errno = error;
    signal(number, SIG_DFL); // its own action, once this function is left
    raise(number);
}

static void on_ask(int number) {
    if (number == SIGWINCH) { resized = 1; }
    if (number == SIGTSTP) { suspend = 1; }
    if (number == SIGCONT) { returned = 1; }
}

// nohup's choices, and a sanitizer's, are left alone.
static void handle(int number, void (*handler)(int), bool restart) {
    struct sigaction was, action = {.sa_handler = handler, .sa_flags = restart ? SA_RESTART : 0};
    sigfillset(&action.sa_mask);
    if (sigaction(number, NULL, &was) == 0 && (was.sa_flags & SA_SIGINFO) == 0 && was.sa_handler == SIG_DFL) {
        sigaction(number, &action, NULL);
    }
}

static void handle_signals(void) {
    static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    static const int asks[] = {SIGWINCH, SIGTSTP, SIGCONT};
    if (handled) { return; }
    handled = true;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) { handle(ends[i], on_end, false); }
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
        handle(asks[i], on_ask, true);
        sigaddset(&held, asks[i]);
    }
    sigprocmask(SIG_BLOCK, &held, &waiting_mask);
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) { sigdelset(&waiting_mask, asks[i]); }
    atexit(cli_terminal_leave);
}

// ---------------------------------------------------------------------------------------------------- taking over

static bool take_over(void) {
    struct termios raw = before;
    raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP | INPCK);
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN); // Ctrl-C and Ctrl-Z stay what they are
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) != 0) { return false; }
    entered = 1;
    return cli_terminal_write(enter_text, strlen(enter_text));
}

bool cli_terminal_enter(const char *on_leave) {
    fflush(stdout);
    leaving_text = on_leave;
    if (tcgetattr(STDIN_FILENO, &before) == 0) {
        handle_signals();
        if (take_over()) { return true; }
    }
    cli_say("the terminal cannot be used: %s", strerror(errno));
    cli_terminal_leave();
    return false;
}

void cli_terminal_suspend(void) {
    cli_terminal_leave();
    struct sigaction ours, plain = {.sa_handler = SIG_DFL};
    sigset_t mask;
    sigaction(SIGTSTP, &plain, &ours);
    raise(SIGTSTP); // held, and delivered by the next line, where the program stands until it is continued
    sigprocmask(SIG_SETMASK, &waiting_mask, &mask);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTSTP, &ours, NULL);
    suspend = returned = 0;
    tcgetattr(STDIN_FILENO, &before); // the shell may have been told something else meanwhile
    take_over();
}

cli_terminal_size cli_terminal_get_size(void) {
    struct winsize now = {0};
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &now);
    cli_terminal_size size = {now.ws_col, now.ws_row, 0, 0};
    if (size.columns == 0 || size.rows == 0) { size = (cli_terminal_size){80, 24, 0, 0}; }
    if (now.ws_xpixel >= size.columns && now.ws_ypixel >= size.rows) {
        size.cell_width = now.ws_xpixel / size.columns;
        size.cell_height = now.ws_ypixel / size.rows;
    }
    return size;
}

// ---------------------------------------------------------------------------------------------------- bytes

bool cli_terminal_write(const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t sent = write(STDOUT_FILENO, bytes, size);
        if (sent < 0 && errno == EAGAIN) { // somebody else has made it so
            struct pollfd one = {.fd = STDOUT_FILENO, .events = POLLOUT};
            poll(&one, 1, 1000);
        } else if (sent < 0 && errno != EINTR) {
            return false;
        }
        bytes += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

uint32_t cli_terminal_wait(int64_t wait_ns) {
    fd_set reads;
    FD_ZERO(&reads);
    FD_SET(STDIN_FILENO, &reads);
    const struct timespec wait = {.tv_sec = (time_t)(wait_ns / 1000000000), .tv_nsec = (long)(wait_ns % 1000000000)};
    const int count = pselect(STDIN_FILENO + 1, &reads, NULL, NULL, wait_ns >= 0 ? &wait : NULL, &waiting_mask);
    uint32_t wakes = count > 0 ? CLI_WAKE_BYTES : 0;
    if (count < 0 && errno != EINTR) { wakes |= CLI_WAKE_GONE; }
    if (resized != 0) { wakes |= CLI_WAKE_RESIZED; }
    if (suspend != 0) { wakes |= CLI_WAKE_SUSPEND; }
    if (returned != 0) { wakes |= CLI_WAKE_RETURNED; }
    if (returned != 0 && entered != 0 && suspend == 0) { take_over(); } // whoever stopped it may have changed its modes
    resized = suspend = returned = 0;
    return wakes;
}

size_t cli_terminal_read(uint8_t *bytes, size_t capacity) {
    const ssize_t got = read(STDIN_FILENO, bytes, capacity);
    return got > 0 ? (size_t)got : 0;
}
