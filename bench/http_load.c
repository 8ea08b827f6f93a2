// Asks a server for the same thing again and again over kept connections and says what that cost the server:
//   http_load PORT PATH CONNECTIONS SECONDS PID
// One line: requests, requests a second, requests a second of PID's processor time (all threads, user and system), and
// the median, 99th percentile and longest time of an answer in ms. Exit 1: an answer was not 200 or a connection broke.
// One thread with epoll, one request in flight a connection: it costs less than any server that it asks.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 1024, TIMES_MAX = 1 << 22 };

typedef struct connection {
    int fd;
    size_t got;   // bytes of the answer so far
    size_t whole; // bytes of head and body together; 0: the head is not complete yet
    int64_t asked_ns;
    char head[4096];
} connection;

static connection connections[CONNECTIONS_MAX];
static float times_ms[TIMES_MAX];
static char request[1024];
static size_t request_size;

static int64_t now_ns(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

static double processor_seconds(long pid) {
    char path[64], text[1024];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) { return 0.0; }
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    const char *after = strrchr(text, ')'); // the name before it may have anything in it
    if (after == NULL ||
        sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2) {
        return 0.0;
    }
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static bool ask(connection *one) {
    one->got = one->whole = 0;
    one->asked_ns = now_ns();
    return send(one->fd, request, request_size, MSG_NOSIGNAL) == (ssize_t)request_size;
}

// Reads what is there. 1: the answer is whole, 0: more is to come, -1: it is none.
static int take(connection *one) {
    char rest[65536];
    char *to = one->whole == 0 ? one->head + one->got : rest;
    const size_t room = one->whole == 0 ? sizeof one->head - 1 - one->got : sizeof rest;
    const ssize_t size = recv(one->fd, to, room, MSG_DONTWAIT);
    if (size < 0 && errno == EAGAIN) { return 0; }
    if (size <= 0) { return -1; }
    one->got += (size_t)size;
    if (one->whole == 0) {
        one->head[one->got] = 0;
        const char *end = strstr(one->head, "\r\n\r\n");
        if (end == NULL) { return one->got == sizeof one->head - 1 ? -1 : 0; }
        const char *length = strcasestr(one->head, "\r\nContent-Length:");
        if (strncmp(one->head, "HTTP/1.1 200", 12) != 0 || length == NULL || length > end) { return -1; }
        one->whole = (size_t)(end - one->head) + 4 + strtoul(length + 17, NULL, 10);
    }
    return one->got == one->whole ? 1 : one->got > one->whole ? -1 : 0;
}

static int by_time(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fputs("http_load PORT PATH CONNECTIONS SECONDS PID\n", stderr);
        return 2;
    }
    const struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1])),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int count = atoi(argv[3]);
    const double seconds = atof(argv[4]);
    const long pid = atol(argv[5]);
    if (count < 1 || count > CONNECTIONS_MAX) { return 2; }
    request_size = (size_t)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n", argv[2],
                                    argv[1]);
    if (request_size >= sizeof request) { return 2; }
    const int poll = epoll_create1(0);
    for (int i = 0; i < count; i++) {
        connection *one = &connections[i];
        const int on = 1;
        one->fd = socket(AF_INET, SOCK_STREAM, 0);
        if (one->fd < 0 || connect(one->fd, (const struct sockaddr *)&at, sizeof at) != 0) {
            perror("http_load: connect");
            return 1;
        }
        setsockopt(one->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = one};
        epoll_ctl(poll, EPOLL_CTL_ADD, one->fd, &event);
        if (!ask(one)) { return 1; }
    }
    const double spent_before = processor_seconds(pid);
    const int64_t begun_ns = now_ns(), end_ns = begun_ns + (int64_t)(seconds * 1e9);
    uint64_t answers = 0;
    while (now_ns() < end_ns) {
        struct epoll_event events[128];
        const int ready = epoll_wait(poll, events, 128, 100);
        for (int i = 0; i < ready; i++) {
            connection *one = events[i].data.ptr;
            const int state = take(one);
            if (state == 0) { continue; }
            if (state > 0) {
                times_ms[answers++ % TIMES_MAX] = (float)((double)(now_ns() - one->asked_ns) / 1e6);
                if (ask(one)) { continue; }
            }
            fprintf(stderr, "http_load: a connection broke after %llu answers\n", (unsigned long long)answers);
            return 1;
        }
    }
    const double took = (double)(now_ns() - begun_ns) / 1e9, spent = processor_seconds(pid) - spent_before;
    const size_t measured = answers < TIMES_MAX ? (size_t)answers : TIMES_MAX;
    if (measured == 0) { return 1; }
    qsort(times_ms, measured, sizeof *times_ms, by_time);
    printf("%llu requests, %.0f a second, %.0f a processor second; median %.3f ms, p99 %.3f ms, longest %.3f ms\n",
           (unsigned long long)answers, (double)answers / took, spent > 0 ? (double)answers / spent : 0.0,
           (double)times_ms[measured / 2], (double)times_ms[measured * 99 / 100], (double)times_ms[measured - 1]);
    return 0;
}
