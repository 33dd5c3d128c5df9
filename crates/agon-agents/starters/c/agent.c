/* My agent for {{title}}. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A piece of the line that was read. */
struct text {
    const char *start;
    size_t length;
};

/* What the referee says when it asks for a move. */
struct turn {
    struct text position; /* where the game stands, as text; README.md explains it */
    struct text *legal;   /* the legal moves */
    size_t count;         /* how many there are */
    double deadline;      /* when the answer must have been sent, by now() */
};

/* Seconds on a clock that nobody sets. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Called once, before the game. */
static void set_up(struct text seat)
{
    /* Standard error is kept for you; standard output is the referee's. */
    fprintf(stderr, "playing %.*s\n", (int)seat.length, seat.start);
    srand((unsigned)(now() * 1e6));
}

/* Chooses a move. Replace this by something better. */
static struct text choose(const struct turn *turn)
{
    struct text best = turn->legal[0];
    for (size_t i = 0; i < turn->count; i++) {
        /* Look at the clock now and then, and stop well before the deadline. */
        if (now() + 0.03 > turn->deadline)
            break;
        /* A random number instead of an opinion: the last move that wins the toss is played. */
        if ((size_t)rand() % turn->count == 0)
            best = turn->legal[i];
    }
    return best;
}

/* Just enough JSON for the referee's messages. */

static const char *skip(const char *at, const char *these)
{
    return at + strspn(at, these);
}

/* Where the value that begins at `at` ends. */
static const char *end_of(const char *at)
{
    int depth = 0, quoted = 0;
    for (; *at && *at != '\n'; at++) {
        if (quoted) {
            if (*at == '\\' && at[1])
                at++;
            else if (*at == '"')
                quoted = 0;
        } else if (*at == '"') {
            quoted = 1;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (depth > 0 && (*at == '}' || *at == ']')) {
            depth--;
        } else if (depth == 0 && strchr(" ,:]}", *at)) {
            break;
        }
    }
    return at;
}

/* The value of a key of an object, as it is written; empty if there is no such key. */
static struct text value_of(const char *object, const char *key)
{
    const char *at = strchr(object, '{');
    if (!at)
        return (struct text){object, 0};
    for (at++;;) {
        const char *name = skip(at, " ,");
        const char *after = end_of(name);
        const char *value = skip(after, " :");
        at = end_of(value);
        if (after == name || at == value)
            return (struct text){object, 0};
        size_t length = (size_t)(after - name);
        if (length == strlen(key) + 2 && !strncmp(name + 1, key, length - 2))
            return (struct text){value, (size_t)(at - value)};
    }
}

/* A text without its quotation marks. (The referee's texts have nothing in them that would have to be unescaped.) */
static struct text unquoted(struct text text)
{
    return text.length < 2 ? text : (struct text){text.start + 1, text.length - 2};
}

static int is(struct text text, const char *word)
{
    return text.length == strlen(word) && !strncmp(text.start, word, text.length);
}

/* Answers a request for a move. */
static void answer(const char *line, double received)
{
    struct turn turn = {.position = unquoted(value_of(line, "position"))};
    struct text list = value_of(line, "legal");
    struct text time = value_of(line, "time");
    /* Without a time limit the referee says null: ten seconds will do. */
    turn.deadline = received + (time.length == 0 || is(time, "null") ? 10 : strtod(time.start, NULL));
    /* There are fewer moves than characters. */
    turn.legal = calloc(list.length + 1, sizeof *turn.legal);
    if (!turn.legal || list.length < 4)
        exit(EXIT_FAILURE);
    for (const char *at = skip(list.start + 1, " ,"), *end; (end = end_of(at)) > at; at = skip(end, " ,"))
        turn.legal[turn.count++] = unquoted((struct text){at, (size_t)(end - at)});
    struct text move = choose(&turn);
    printf("{\"type\": \"move\", \"move\": \"%.*s\"}\n", (int)move.length, move.start);
    free(turn.legal);
}

int main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        double received = now();
        struct text type = unquoted(value_of(line, "type"));
        if (is(type, "setup")) {
            set_up(unquoted(value_of(line, "seat")));
            printf("{\"type\": \"ready\", \"name\": \"my agent\"}\n");
        } else if (is(type, "move")) {
            answer(line, received);
        }
        /* Nothing is answered to the result of the game; the input then ends. */
        fflush(stdout);
    }
    free(line);
    return 0;
}
