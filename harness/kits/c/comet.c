/* comet under the profile `standard`: replace the two functions of comet.h by calls into your own codec. */
#include "comet.h"

enum { BYTE, LONG, BYTES, STRING, TOPIC, NOTIFICATION, LIST = 8 }; /* LIST: a count of one byte, then so many */
struct field { const char *name; int type; };
struct message { const char *name; struct field fields[5]; };
static const struct field notification[] = {
    {"msg_type", BYTE}, {"msg_id", STRING}, {"content", STRING}, {"ts", LONG}, {0}};
static const struct message from_client[] = {
    {"auth", {{"client_id", STRING}, {"token", STRING}}}, {"exchange_key", {{"secret_key", BYTES}}},
    {"get_topic_list", {{0}}}, {"subscribe", {{"topics", LIST | TOPIC}}}, {"unsubscribe", {{"topics", LIST | TOPIC}}},
    {"get_message_list", {{0}}}, {"heartbeat", {{0}}}, {"message_ack", {{"msg_ids", LIST | STRING}}},
    {"report_environ", {{"network_type", BYTE}, {"isp", BYTE}, {"phone_type", STRING}, {"extra", LIST | STRING}}}};
static const struct message from_server[] = {
    {"ok", {{0}}}, {"error", {{"error_code", BYTE}, {"reason", STRING}}}, {"auth_success", {{"encrypt_key", BYTES}}},
    {"topic_list", {{"topics", LIST | TOPIC}}}, {"message_list", {{"notifications", LIST | NOTIFICATION}}},
    {"message", {{"notification", NOTIFICATION}}}};

static const struct message *message_of(bool server, uint64_t type) {
    if (server) return type < 6 ? &from_server[type] : NULL;
    return type < 9 ? &from_client[type] : NULL;
}

/* Reads a command from `pos` to `end` and adds it to `out`. The first error stays, and nothing is taken after it. */
struct reader { const char *data; size_t pos, end; struct text *out; const char *error; size_t offset; };

static void require(struct reader *reader, bool kept, const char *error, size_t offset) {
    if (!kept && !reader->error) reader->error = error, reader->offset = offset;
}

static const char *take(struct reader *reader, size_t size) {
    require(reader, size <= reader->end - reader->pos, "overrun", reader->pos);
    return reader->error ? NULL : reader->data + (reader->pos += size) - size;
}

static uint64_t take_number(struct reader *reader, size_t size) {
    const char *bytes = take(reader, size);
    uint64_t number = 0;
    for (size_t i = 0; bytes && i < size; i++) number = number << 8 | (unsigned char)bytes[i];
    return number;
}

static void read_value(struct reader *reader, int type);

static void read_fields(struct reader *reader, const struct field *field) {
    for (; field->name && !reader->error; field++) {
        text_print(reader->out, "\"%s\":", field->name);
        read_value(reader, field->type);
    }
    text_close(reader->out, '}');
}

static void read_run(struct reader *reader, int type) {
    size_t size = take_number(reader, 2), start = reader->pos;
    const char *run = take(reader, size);
    if (!run) return;
    require(reader, type == BYTES || utf8_is_valid(run, size), "invalid-utf8", start);
    require(reader, type != TOPIC || (size > 0 && run[0] == '@'), "invalid-value", start);
    (type == BYTES ? text_hex : text_string)(reader->out, run, size);
}

static void read_value(struct reader *reader, int type) {
    if (type & LIST) {
        uint64_t count = take_number(reader, 1);
        text_print(reader->out, "[");
        while (count-- > 0 && !reader->error) read_value(reader, type & ~LIST);
        text_close(reader->out, ']');
    }
    if (type == BYTE) text_print(reader->out, "%d,", (int)take_number(reader, 1));
    if (type == LONG) text_print(reader->out, "\"%lld\",", (long long)take_number(reader, 8));
    if (type == BYTES || type == STRING || type == TOPIC) read_run(reader, type);
    if (type == NOTIFICATION) text_print(reader->out, "{"), read_fields(reader, notification);
}

bool comet_decode(bool server, const struct text *data, size_t *pos, struct text *out, const char **error) {
    if (data->size - *pos < 2) return false;
    struct reader reader = {data->at, *pos, data->size, out, NULL, 0};
    size_t before = out->size, length = take_number(&reader, 2);
    if (length > data->size - reader.pos) return false;
    reader.end = reader.pos + length;
    require(&reader, length > 0, "length-mismatch", *pos);
    int type = (int)take_number(&reader, 1);
    const struct message *message = message_of(server, type);
    require(&reader, message, "unknown-type", *pos + 2);
    if (!reader.error) {
        text_print(out, "{\"command\":{\"dir\":\"%s\",\"type\":%d,", server ? "s2c" : "c2s", type);
        text_print(out, "\"name\":\"%s\",", message->name);
        read_fields(&reader, message->fields);
        text_close(out, '}');
    }
    require(&reader, reader.pos == reader.end, "trailing-bytes", reader.pos);
    if (reader.error) out->size = before;
    *pos = reader.error ? reader.offset : reader.end;
    return !(*error = reader.error);
}

/* Adds the bytes of a value to `out`. A wrong shape, wherever it is, comes before the first refusal. */
struct writer { struct text *out; const char *refusal; bool wrong; };

static bool expect(struct writer *writer, bool right) { return right || !(writer->wrong = true); }

static void rule(struct writer *writer, bool kept, const char *refusal) {
    if (!kept && !writer->refusal) writer->refusal = refusal;
}

static void write_number(struct writer *writer, uint64_t number, int size) {
    while (size-- > 0) text_add(writer->out, &(char){(char)(number >> 8 * size)}, 1);
}

static void write_value(struct writer *writer, int type, const struct json *value);

/* `keys` is the number of other keys in the object. */
static void write_fields(struct writer *writer, const struct field *field, const struct json *object, size_t keys) {
    for (; field->name; field++, keys++) write_value(writer, field->type, json_get(object, field->name));
    expect(writer, json_is(object, JSON_OBJECT) && object->size == keys);
}

static void write_run(struct writer *writer, int type, const struct json *value) {
    bool in_hex = type != BYTES && json_is(value, JSON_OBJECT) && value->size == 1; /* no text under this profile */
    if (in_hex) value = json_get(value, "hex");
    if (!expect(writer, in_hex || type == BYTES ? json_is_hex(value) : json_is(value, JSON_STRING))) return;
    size_t size = type == BYTES ? value->size / 2 : value->size;
    rule(writer, !in_hex && utf8_is_valid(value->text, value->size), "invalid-utf8");
    rule(writer, size <= 0xffff, "limit-exceeded");
    rule(writer, type != TOPIC || (size > 0 && value->text[0] == '@'), "invalid-value");
    write_number(writer, size, 2);
    if (type == BYTES) text_add_unhex(writer->out, value);
    else text_add(writer->out, value->text, size);
}

static void write_value(struct writer *writer, int type, const struct json *value) {
    int64_t number = 0;
    if (type & LIST) {
        if (!expect(writer, json_is(value, JSON_LIST))) return;
        rule(writer, value->size <= 0xff, "limit-exceeded");
        write_number(writer, value->size, 1);
        for (const struct json *item = value->first; item; item = item->next) write_value(writer, type & ~LIST, item);
    }
    if (type == BYTE || type == LONG) {
        if (!expect(writer, type == BYTE ? json_is(value, JSON_INTEGER) : json_is_decimal(value))) return;
        rule(writer, json_number(value, &number) && (type == LONG || (number >= 0 && number <= 0xff)), "out-of-range");
        write_number(writer, (uint64_t)number, type == BYTE ? 1 : 8);
    }
    if (type == BYTES || type == STRING || type == TOPIC) write_run(writer, type, value);
    if (type == NOTIFICATION) write_fields(writer, notification, value, 0);
}

bool comet_encode(bool server, const struct json *value, struct text *out, const char **error) {
    struct text content = {0};
    struct writer writer = {&content, NULL, false};
    const struct json *command = json_get(value, "command");
    expect(&writer, command && value->size == 1 && json_equals(json_get(command, "dir"), server ? "s2c" : "c2s"));
    write_value(&writer, BYTE, json_get(command, "type"));
    const struct message *message = content.size ? message_of(server, (unsigned char)content.at[0]) : NULL;
    rule(&writer, message, "unknown-type");
    if (!writer.refusal) write_fields(&writer, message->fields, command, 2 + (json_get(command, "name") != NULL));
    rule(&writer, content.size <= 0xffff, "limit-exceeded");
    writer.out = out;
    write_number(&writer, content.size, 2);
    text_add(out, content.at, content.size);
    free(content.at);
    *error = writer.refusal;
    return !writer.wrong;
}
