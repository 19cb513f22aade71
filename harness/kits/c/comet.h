/* The protocol comet, profile standard: tables, and one function that reads and writes what they say. */
#include "json.h"

enum { BYTE = 1, SHORT = 2, LONG = 8, BYTES, STRING, TOPIC, RECORD, LIST = 16 }; /* numbers: their size */
struct field { const char *name; int layout; }; /* LIST + X: a byte with the count, then so many X */
static const struct field NOTIFICATION[] = {
    {"msg_type", BYTE}, {"msg_id", STRING}, {"content", STRING}, {"ts", LONG}, {0}};
static const struct message { const char *name; struct field fields[5]; } MESSAGES[2][256] = {{ /* by type */
    {"auth", {{"client_id", STRING}, {"token", STRING}}}, {"exchange_key", {{"secret_key", BYTES}}},
    {"get_topic_list", {{0}}}, {"subscribe", {{"topics", LIST + TOPIC}}},
    {"unsubscribe", {{"topics", LIST + TOPIC}}}, {"get_message_list", {{0}}}, {"heartbeat", {{0}}},
    {"message_ack", {{"msg_ids", LIST + STRING}}}, {"report_environ",
        {{"network_type", BYTE}, {"isp", BYTE}, {"phone_type", STRING}, {"extra", LIST + STRING}}},
}, { /* those above are sent by clients, those below by servers */
    {"ok", {{0}}}, {"error", {{"error_code", BYTE}, {"reason", STRING}}},
    {"auth_success", {{"encrypt_key", BYTES}}}, {"topic_list", {{"topics", LIST + TOPIC}}},
    {"message_list", {{"notifications", LIST + RECORD}}}, {"message", {{"notification", RECORD}}},
}};

static struct { const char *error; size_t offset; } fault; /* the first one found, if there is an error */
static bool check(bool right, const char *error, size_t offset) {
    if (!right && !fault.error) fault.error = error, fault.offset = offset;
    return right;
}

struct coder { char *data; size_t pos, end; struct text *out; }; /* writes to out; without one it reads */
static int64_t code_number(struct coder *coder, int size, int64_t number, const char *error) {
    if (coder->out) check(size == LONG || (number >= 0 && number < 1 << 8 * size), error, 0);
    else check((size_t)size <= coder->end - coder->pos, "overrun", coder->pos);
    while (size-- > 0 && !fault.error) {
        if (coder->out) text_add(coder->out, &(char){(char)(number >> 8 * size)}, 1);
        else number = (int64_t)((uint64_t)number << 8 | (unsigned char)coder->data[coder->pos++]);
    }
    return fault.error ? 0 : number;
}

/* Writes a value, or reads one: then the value given is open (json.h), and takes the form it is asked for. */
static void code(struct coder *coder, int layout, const struct field *field, struct json *value) {
    int64_t number;
    if (layout == RECORD) {
        for (; field->name; field++) code(coder, field->layout, NOTIFICATION, json_get(value, field->name));
    } else if (layout > LIST) {
        struct json *list = json_as(value, JSON_LIST), *item = NULL;
        number = code_number(coder, 1, (int64_t)list->size, "limit-exceeded");
        while (number-- > 0) code(coder, layout - LIST, field, item = json_next(list, item));
    } else if (layout <= LONG) {
        check(json_number(value, &number), "out-of-range", 0);
        number = code_number(coder, layout, number, "out-of-range");
        json_set_number(value, layout == LONG ? JSON_DECIMAL : JSON_INTEGER, number);
    } else if (check(layout == BYTES || !json_is(value, JSON_OBJECT), "invalid-utf8", 0)) { /* {"hex": ...} */
        value = json_as(value, layout == BYTES ? JSON_HEX : JSON_STRING);
        check(layout == BYTES || utf8_is_valid(value->text, value->size), "invalid-utf8", 0);
        size_t size = code_number(coder, 2, (int64_t)value->size, "limit-exceeded"), start = coder->pos;
        if (coder->out) text_add(coder->out, value->text, size);
        else if (check(size <= coder->end - start, "overrun", start))
            value->text = coder->data + start, value->size = size, coder->pos += size;
        check(layout == BYTES || utf8_is_valid(value->text, value->size), "invalid-utf8", start);
        check(layout != TOPIC || (value->size > 0 && value->text[0] == '@'), "invalid-value", start);
    }
}

/* Reads the message that data begins with; its size, or 0 if there is a fault or it is not all there. */
static size_t comet_decode(bool server, char *data, size_t size, struct json *value) {
    struct coder in = {data, 0, size, NULL};
    if (size < 2) return 0;
    in.end = 2 + (size_t)code_number(&in, 2, 0, NULL);
    if (!check(in.end > 2, "length-mismatch", 0) || in.end > size) return 0;
    struct json *command = json_get(value, "command");
    code(&in, BYTE, NULL, json_get(command, "type"));
    const struct message *message = &MESSAGES[server][(unsigned char)data[2]];
    if (!check(message->name, "unknown-type", 2)) return 0;
    json_set_string(json_get(command, "dir"), server ? "s2c" : "c2s");
    json_set_string(json_get(command, "name"), message->name);
    code(&in, RECORD, message->fields, command);
    check(in.pos == in.end, "trailing-bytes", in.pos);
    return fault.error ? 0 : in.end;
}

static void comet_encode(bool server, struct json *value, struct text *out) { /* unless there is a fault */
    struct coder coder = {.out = out};
    struct json *command = json_get(value, "command");
    code_number(&coder, 2, 0, NULL); /* the length: known at the end */
    code(&coder, BYTE, NULL, json_get(command, "type"));
    const struct message *message = &MESSAGES[server][out->size > 2 ? (unsigned char)out->at[2] : 255];
    check(message->name, "unknown-type", 0);
    code(&coder, RECORD, message->fields, command);
    check(out->size - 2 <= 0xffff, "limit-exceeded", 0);
    out->at[0] = (char)((out->size - 2) >> 8), out->at[1] = (char)(out->size - 2);
}
