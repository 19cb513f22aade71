/* A small JSON: a line is read into a tree, an answer is built by appending to a text.
 *
 * Strings are bytes with a size. They are UTF-8, except that a lone surrogate (an escape such as \ud800 can
 * say one) becomes the three bytes that UTF-8 would give it, which `utf8_is_valid` does not accept.
 * A tree points into its line, which reading changes.
 */
#ifndef JSON_H
#define JSON_H
#define _POSIX_C_SOURCE 200809L /* getline */

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text that grows ---- */

struct text {
    char *at;
    size_t size, room;
};

static inline char *text_room(struct text *text, size_t more) {
    if (text->room - text->size < more) {
        text->room = text->room + text->room / 2 + more;
        text->at = realloc(text->at, text->room);
        if (!text->at) {
            fputs("out of memory\n", stderr);
            exit(1);
        }
    }
    return text->at + text->size;
}

static inline void text_add(struct text *text, const void *bytes, size_t size) {
    if (size == 0) return;
    memcpy(text_room(text, size), bytes, size);
    text->size += size;
}

__attribute__((format(printf, 2, 3))) static inline void text_print(struct text *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int size = vsnprintf(NULL, 0, format, values);
    va_end(values);
    va_start(values, format);
    vsnprintf(text_room(text, (size_t)size + 1), (size_t)size + 1, format, values);
    va_end(values);
    text->size += (size_t)size;
}

/* ---- JSON as text ----
 * Every value is followed by a comma, so that a list needs no thought about which of its items is the last;
 * `text_close` takes back the last one. */

static inline void text_close(struct text *text, char bracket) {
    if (text->at[text->size - 1] == ',') text->size--;
    text_print(text, "%c,", bracket);
}

static inline void text_hex(struct text *text, const void *bytes, size_t size) {
    char *to = text_room(text, 2 * size + 3);
    *to++ = '"';
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = ((const unsigned char *)bytes)[i];
        *to++ = "0123456789abcdef"[byte >> 4];
        *to++ = "0123456789abcdef"[byte & 15];
    }
    memcpy(to, "\",", 2);
    text->size += 2 * size + 3;
}

static inline void text_string(struct text *text, const void *utf8, size_t size) {
    const unsigned char *from = utf8, *end = from + size;
    text_add(text, "\"", 1);
    for (; from < end; from++) {
        const unsigned char *plain = from;
        while (from < end && *from >= 0x20 && *from != '"' && *from != '\\') from++;
        text_add(text, plain, (size_t)(from - plain));
        if (from == end) break;
        text_print(text, "\\u%04x", *from);
    }
    text_add(text, "\",", 2);
}

/* As RFC 3629 has it: nothing overlong, no surrogate, nothing above 10FFFF. */
static inline bool utf8_is_valid(const void *bytes, size_t size) {
    const unsigned char *at = bytes, *end = at + size;
    while (at < end) {
        unsigned char first = *at++;
        if (first < 0x80) continue;
        int more = first < 0xc2 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 0;
        if (more == 0 || end - at < more) return false;
        if (first == 0xe0 && at[0] < 0xa0) return false;
        if (first == 0xed && at[0] > 0x9f) return false;
        if (first == 0xf0 && at[0] < 0x90) return false;
        if (first == 0xf4 && at[0] > 0x8f) return false;
        for (; more > 0; more--)
            if ((*at++ & 0xc0) != 0x80) return false;
    }
    return true;
}

/* ---- values ---- */

enum json_kind { JSON_NULL, JSON_TRUE, JSON_FALSE, JSON_INTEGER, JSON_FRACTION, JSON_STRING, JSON_LIST, JSON_OBJECT };

struct json {
    enum json_kind kind;
    const char *text;  /* a string, or the digits of a number */
    size_t size;       /* of the text, or the number of items or members */
    const char *name;  /* of a member */
    size_t name_size;
    struct json *first, *next;
};

/* These take a missing value, NULL, for one of no kind. */
static inline bool json_is(const struct json *value, enum json_kind kind) { return value && value->kind == kind; }

static inline bool json_equals(const struct json *value, const char *text) {
    return json_is(value, JSON_STRING) && value->size == strlen(text) && memcmp(value->text, text, value->size) == 0;
}

static inline const struct json *json_get(const struct json *object, const char *name) {
    const struct json *found = NULL;
    if (!json_is(object, JSON_OBJECT)) return NULL;
    for (const struct json *member = object->first; member; member = member->next)
        if (member->name_size == strlen(name) && memcmp(member->name, name, member->name_size) == 0) found = member;
    return found;
}

static inline bool json_is_hex(const struct json *value) {
    if (!json_is(value, JSON_STRING) || value->size % 2 != 0) return false;
    for (size_t i = 0; i < value->size; i++)
        if (!((value->text[i] >= '0' && value->text[i] <= '9') || (value->text[i] >= 'a' && value->text[i] <= 'f')))
            return false;
    return true;
}

static inline bool json_is_hex_list(const struct json *value) {
    if (!json_is(value, JSON_LIST)) return false;
    for (const struct json *item = value->first; item; item = item->next)
        if (!json_is_hex(item)) return false;
    return true;
}

/* A decimal string without padding, the form of 64-bit numbers. */
static inline bool json_is_decimal(const struct json *value) {
    if (!json_is(value, JSON_STRING)) return false;
    size_t sign = value->size > 0 && value->text[0] == '-', digits = value->size - sign;
    if (digits == 0 || (value->text[sign] == '0' && value->size > 1)) return false;
    for (size_t i = sign; i < value->size; i++)
        if (value->text[i] < '0' || value->text[i] > '9') return false;
    return true;
}

/* The number of an integer or decimal string; whether 64 bits can hold it. */
static inline bool json_number(const struct json *value, int64_t *number) {
    errno = 0;
    *number = strtoll(value->text, NULL, 10);
    return errno == 0;
}

static inline int json_digit(char digit) { return digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10; }

/* Adds the bytes of a string for which `json_is_hex` is true. */
static inline void text_add_unhex(struct text *text, const struct json *value) {
    char *to = text_room(text, value->size / 2 + 1);
    for (size_t i = 0; i < value->size; i += 2)
        *to++ = (char)(json_digit(value->text[i]) << 4 | json_digit(value->text[i + 1]));
    text->size += value->size / 2;
}

/* ---- reading ---- */

#define JSON_DEEPEST 200

struct json_reader {
    char *at;
    struct json *free; /* nodes not yet used; there are enough for the line */
    int depth;
};

static inline void json_skip_space(struct json_reader *reader) {
    while (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\n' || *reader->at == '\r') reader->at++;
}

static inline bool json_take(struct json_reader *reader, const char *word) {
    size_t size = strlen(word);
    if (strncmp(reader->at, word, size) != 0) return false;
    reader->at += size;
    return true;
}

static inline bool json_hex4(struct json_reader *reader, unsigned *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, reader->at++) {
        if (*reader->at == '\0' || !strchr("0123456789abcdefABCDEF", *reader->at)) return false;
        *code = *code << 4 | (unsigned)json_digit(*reader->at);
    }
    return true;
}

/* What follows a backslash and u, written to `to` as UTF-8. */
static inline char *json_read_code(struct json_reader *reader, char *to) {
    unsigned code, low;
    if (!json_hex4(reader, &code)) return NULL;
    char *behind = reader->at;
    if (code >= 0xd800 && code < 0xdc00 && json_take(reader, "\\u") && json_hex4(reader, &low) && low >= 0xdc00 &&
        low < 0xe000)
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    else
        reader->at = behind;
    if (code < 0x80) {
        *to++ = (char)code;
    } else {
        int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        *to++ = (char)((more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0) | code >> 6 * more);
        while (more-- > 0) *to++ = (char)(0x80 | (code >> 6 * more & 0x3f));
    }
    return to;
}

/* A string, undone of its escapes in place: it never grows. */
static inline bool json_read_string(struct json_reader *reader, const char **text, size_t *size) {
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (*reader->at++ != '"') return false;
    char *to = reader->at;
    *text = to;
    while (*reader->at != '"') {
        if ((unsigned char)*reader->at < 0x20) return false;
        if (*reader->at != '\\') {
            *to++ = *reader->at++;
            continue;
        }
        reader->at++;
        const char *escape = *reader->at ? strchr(escapes, *reader->at) : NULL;
        if (escape) {
            *to++ = meanings[escape - escapes];
            reader->at++;
        } else if (*reader->at++ != 'u' || !(to = json_read_code(reader, to))) {
            return false;
        }
    }
    reader->at++;
    *size = (size_t)(to - *text);
    *to = '\0';
    return true;
}

static inline bool json_read_number(struct json_reader *reader, struct json *value) {
    char *at = reader->at;
    value->kind = JSON_INTEGER;
    value->text = at;
    if (*at == '-') at++;
    size_t digits = strspn(at, "0123456789");
    if (digits == 0 || (*at == '0' && digits > 1)) return false;
    at += digits;
    if (*at == '.') {
        value->kind = JSON_FRACTION;
        digits = strspn(++at, "0123456789");
        if (digits == 0) return false;
        at += digits;
    }
    if (*at == 'e' || *at == 'E') {
        value->kind = JSON_FRACTION;
        at++;
        if (*at == '+' || *at == '-') at++;
        digits = strspn(at, "0123456789");
        if (digits == 0) return false;
        at += digits;
    }
    value->size = (size_t)(at - reader->at);
    reader->at = at;
    return true;
}

static inline struct json *json_read_value(struct json_reader *reader);

/* The items of a list or members of an object, behind its opening bracket. */
static inline bool json_read_items(struct json_reader *reader, struct json *value, char closing) {
    struct json **last = &value->first;
    json_skip_space(reader);
    if (*reader->at == closing) {
        reader->at++;
        return true;
    }
    for (;;) {
        const char *name = NULL;
        size_t name_size = 0;
        if (value->kind == JSON_OBJECT) {
            json_skip_space(reader);
            if (!json_read_string(reader, &name, &name_size)) return false;
            json_skip_space(reader);
            if (*reader->at++ != ':') return false;
        }
        struct json *item = json_read_value(reader);
        if (!item) return false;
        item->name = name;
        item->name_size = name_size;
        value->size++;
        *last = item;
        last = &item->next;
        char next = *reader->at++;
        if (next == closing) return true;
        if (next != ',') return false;
    }
}

static inline struct json *json_read_value(struct json_reader *reader) {
    struct json *value = reader->free++;
    bool good = true;
    json_skip_space(reader);
    if (*reader->at == '{' || *reader->at == '[') {
        value->kind = *reader->at == '{' ? JSON_OBJECT : JSON_LIST;
        reader->at++;
        char closing = value->kind == JSON_OBJECT ? '}' : ']';
        good = ++reader->depth <= JSON_DEEPEST && json_read_items(reader, value, closing);
        reader->depth--;
    } else if (*reader->at == '"') {
        value->kind = JSON_STRING;
        good = json_read_string(reader, &value->text, &value->size);
    } else if (json_take(reader, "true")) {
        value->kind = JSON_TRUE;
    } else if (json_take(reader, "false")) {
        value->kind = JSON_FALSE;
    } else if (!json_take(reader, "null")) {
        good = json_read_number(reader, value);
    }
    json_skip_space(reader);
    return good ? value : NULL;
}

/* The value of a line that ends with a zero byte; NULL if it is no JSON. `nodes` is to be freed after use. */
static inline struct json *json_read(char *line, size_t size, struct json **nodes) {
    size_t most = 2; /* every value but the first comes behind one of these */
    for (size_t i = 0; i < size; i++) most += line[i] == ',' || line[i] == '[' || line[i] == '{';
    *nodes = calloc(most, sizeof **nodes);
    if (!*nodes || !utf8_is_valid(line, size)) return NULL;
    struct json_reader reader = {line, *nodes, 0};
    struct json *value = json_read_value(&reader);
    return value && reader.at == line + size ? value : NULL;
}

/* Answers every line of standard input, and at once: `respond` adds an object to the answer. What it is given is
 * NULL for a line that is no JSON. */
static inline void json_answer_lines(void (*respond)(const struct json *request, struct text *answer)) {
    char *line = NULL;
    size_t room = 0;
    struct text answer = {0};
    for (ssize_t size; (size = getline(&line, &room, stdin)) > 0; answer.size = 0) {
        struct json *nodes;
        respond(json_read(line, (size_t)size, &nodes), &answer);
        free(nodes);
        answer.at[answer.size - 1] = '\n'; /* for its comma */
        fwrite(answer.at, 1, answer.size, stdout);
        fflush(stdout);
    }
    free(line);
    free(answer.at);
}

#endif
