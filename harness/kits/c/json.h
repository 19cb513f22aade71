/* A small JSON: a line is read into a tree, an answer is built by appending to a text.
 *
 * Strings are bytes with a size. They are UTF-8, except that a lone surrogate (an escape such as \ud800 can
 * say one) becomes the three bytes that UTF-8 would give it, which `utf8_is_valid` does not accept.
 * A tree points into its line, which reading changes.
 *
 * `json_get`, `json_as`, `json_next` and `json_number` look into a tree. If something is not there or of another
 * kind they set `json_problem` and go on with an empty value: it is enough to ask for problems at the end.
 * A value that is open, however, takes whatever form it is asked for: so a tree is made with the same calls.
 */
#ifndef JSON_H
#define JSON_H

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

enum json_kind {
    JSON_NULL, JSON_TRUE, JSON_FALSE, JSON_INTEGER, JSON_FRACTION, JSON_STRING, JSON_LIST, JSON_OBJECT,
    JSON_HEX,    /* bytes: a string of their hex when printed */
    JSON_DECIMAL /* a number of 64 bits: a string of its digits when printed */
};

struct json {
    enum json_kind kind;
    bool open;         /* whether it takes the form it is asked for */
    char *text;        /* a string, bytes, or the digits of a number */
    size_t size;       /* of the text, or the number of items or members */
    const char *name;  /* of a member */
    size_t name_size;
    struct json *first, *last, *next;
    char digits[24];   /* of a number that has not been read but made */
};

static const char *json_problem; /* what was looked for first in vain; whoever asks sets it back to NULL */

static inline struct json *json_fail(const char *problem) {
    static struct json empty;
    if (!json_problem) json_problem = problem;
    empty = (struct json){.text = empty.digits};
    return &empty;
}

static inline bool json_is(const struct json *value, enum json_kind kind) { return value && value->kind == kind; }

static inline bool json_equals(const struct json *value, const char *text) {
    return json_is(value, JSON_STRING) && value->size == strlen(text) && memcmp(value->text, text, value->size) == 0;
}

/* A new open value at the end of a list or, with a name, of an object. */
static inline struct json *json_add(struct json *to, const char *name) {
    struct json *value = calloc(1, sizeof *value);
    if (!value) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    *value = (struct json){.open = true, .text = value->digits, .name = name, .name_size = name ? strlen(name) : 0};
    if (to->last) to->last->next = value;
    else to->first = value;
    to->last = value;
    to->size++;
    return value;
}

/* Takes back all that was added to an open value. */
static inline void json_clear(struct json *value) {
    for (struct json *item = value->first, *next; item; item = next) {
        next = item->next;
        json_clear(item);
        free(item);
    }
    *value = (struct json){.open = true, .text = value->digits};
}

/* A member that may be absent: it is NULL then. */
static inline struct json *json_find(const struct json *object, const char *name) {
    struct json *found = NULL;
    if (!json_is(object, JSON_OBJECT)) return NULL;
    for (struct json *member = object->first; member; member = member->next)
        if (member->name_size == strlen(name) && memcmp(member->name, name, member->name_size) == 0) found = member;
    return found;
}

static inline int json_digit(char digit) { return digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10; }

/* A value of this kind. A string of hex is taken as the bytes it stands for, and becomes them in place. */
static inline struct json *json_as(struct json *value, enum json_kind kind) {
    if (value && value->open) value->kind = kind;
    if (json_is(value, kind)) return value;
    if (kind != JSON_HEX || !json_is(value, JSON_STRING)) return json_fail("value of the right kind");
    if (value->size % 2 != 0 || strspn(value->text, "0123456789abcdef") != value->size) return json_fail("hex");
    value->kind = JSON_HEX;
    value->size /= 2;
    for (size_t i = 0; i < value->size; i++)
        value->text[i] = (char)(json_digit(value->text[2 * i]) << 4 | json_digit(value->text[2 * i + 1]));
    return value;
}

/* A member that must be there. */
static inline struct json *json_get(struct json *object, const char *name) {
    object = json_as(object, JSON_OBJECT);
    struct json *found = json_find(object, name);
    return found ? found : object->open ? json_add(object, name) : json_fail(name);
}

/* The first item of a member that must be a list; NULL if there is none. */
static inline struct json *json_items(struct json *object, const char *name) {
    return json_as(json_get(object, name), JSON_LIST)->first;
}

/* The item of a list that comes behind another one, or behind NULL first. */
static inline struct json *json_next(struct json *list, struct json *item) {
    struct json *next = item ? item->next : list->first;
    return next ? next : list->open ? json_add(list, NULL) : json_fail("item");
}

/* Whether an object is absent, or all its members are among these words, each a name=string. */
static inline bool json_is_within(const struct json *object, const char *words) {
    size_t found = 0;
    if (!object) return true;
    for (const struct json *member = object->first; member; member = member->next) {
        for (const char *word = words; word; word = strchr(word, ' ') ? strchr(word, ' ') + 1 : NULL) {
            const char *text = word + member->name_size + 1;
            found += member->kind == JSON_STRING && strcspn(word, "= ") == member->name_size &&
                     memcmp(word, member->name, member->name_size) == 0 && strcspn(text, " ") == member->size &&
                     memcmp(text, member->text, member->size) == 0;
        }
    }
    return json_is(object, JSON_OBJECT) && found == object->size;
}

/* The number of an integer or of a decimal string; false if 64 bits cannot hold it. */
static inline bool json_number(struct json *value, int64_t *number) {
    char *end;
    *number = 0;
    if (value->open) return true;
    if (!json_is(value, JSON_INTEGER)) value = json_as(value, JSON_STRING);
    errno = 0;
    *number = strtoll(value->text, &end, 10);
    if (value->size == 0 || end != value->text + value->size) json_fail("number");
    return errno != ERANGE;
}

static inline void json_set_number(struct json *value, enum json_kind kind, int64_t number) {
    value->kind = kind;
    value->text = value->digits;
    value->size = (size_t)snprintf(value->digits, sizeof value->digits, "%lld", (long long)number);
}

static inline void json_set_string(struct json *value, const char *text) {
    value->kind = JSON_STRING;
    value->text = (char *)text;
    value->size = strlen(text);
}

/* ---- JSON as text: a comma is put wherever a value or a name follows another value ---- */

static inline void text_comma(struct text *text, char next) {
    char last = text->size > 0 ? text->at[text->size - 1] : '[';
    if (!strchr("[{:,", last) && !strchr("]}:,\n", next)) text_add(text, ",", 1);
}

/* As printf does it, but ' stands for " in the format, where it would have to be escaped. */
__attribute__((format(printf, 2, 3))) static inline void text_print(struct text *text, const char *format, ...) {
    char quoted[512];
    size_t length = strlen(format) < sizeof quoted ? strlen(format) : sizeof quoted - 1;
    for (size_t i = 0; i < length; i++) quoted[i] = format[i] == '\'' ? '"' : format[i];
    quoted[length] = '\0';
    text_comma(text, quoted[0]);
    va_list values;
    va_start(values, format);
    int size = vsnprintf(NULL, 0, quoted, values);
    va_end(values);
    va_start(values, format);
    vsnprintf(text_room(text, (size_t)size + 1), (size_t)size + 1, quoted, values);
    va_end(values);
    text->size += (size_t)size;
}

/* A list of what has been printed to another text. */
static inline void text_list(struct text *text, const char *name, const struct text *items) {
    text_print(text, "'%s':[", name);
    text_add(text, items->at, items->size);
    text_add(text, "]", 1);
}

static inline void text_hex(struct text *text, const void *bytes, size_t size) {
    text_comma(text, '"');
    char *to = text_room(text, 2 * size + 2);
    *to++ = '"';
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = ((const unsigned char *)bytes)[i];
        *to++ = "0123456789abcdef"[byte >> 4];
        *to++ = "0123456789abcdef"[byte & 15];
    }
    *to = '"';
    text->size += 2 * size + 2;
}

static inline void text_string(struct text *text, const void *utf8, size_t size) {
    const unsigned char *from = utf8, *end = from + size;
    text_comma(text, '"');
    text_add(text, "\"", 1);
    for (; from < end; from++) {
        const unsigned char *plain = from;
        while (from < end && *from >= 0x20 && *from != '"' && *from != '\\') from++;
        text_add(text, plain, (size_t)(from - plain));
        if (from == end) break;
        char escape[] = {'\\', 'u', '0', '0', "01"[*from >> 4 & 1], "0123456789abcdef"[*from & 15]};
        if (*from >= 0x20) escape[1] = (char)*from;
        text_add(text, escape, *from >= 0x20 ? 2 : 6);
    }
    text_add(text, "\"", 1);
}

/* Any value that has been made. */
static inline void text_json(struct text *text, const struct json *value) {
    if (value->kind == JSON_LIST || value->kind == JSON_OBJECT) {
        text_print(text, value->kind == JSON_LIST ? "[" : "{");
        for (const struct json *item = value->first; item; item = item->next) {
            if (item->name) text_print(text, "'%s':", item->name);
            text_json(text, item);
        }
        text_print(text, value->kind == JSON_LIST ? "]" : "}");
    } else if (value->kind == JSON_STRING || value->kind == JSON_DECIMAL) {
        text_string(text, value->text, value->size);
    } else if (value->kind == JSON_HEX) {
        text_hex(text, value->text, value->size);
    } else {
        text_print(text, "%.*s", value->size ? (int)value->size : 4, value->size ? value->text : "null");
    }
}

/* ---- reading ---- */

#define JSON_DEEPEST 1000

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
static inline bool json_read_string(struct json_reader *reader, char **text, size_t *size) {
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
        char *name = NULL;
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

/* The value of a line that ends with a zero byte, to be freed after use; NULL if it is no JSON. */
static inline struct json *json_read(char *line, size_t size) {
    size_t most = 2; /* every value but the first comes behind one of these */
    for (size_t i = 0; i < size; i++) most += line[i] == ',' || line[i] == '[' || line[i] == '{';
    struct json *nodes = calloc(most, sizeof *nodes);
    struct json_reader reader = {line, nodes, 0};
    if (nodes && utf8_is_valid(line, size) && json_read_value(&reader) && reader.at == line + size) return nodes;
    free(nodes);
    return NULL;
}

#endif
