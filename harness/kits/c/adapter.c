/* Answers wireproof: a JSON request a line on standard input, a JSON answer a line on standard output.
 * Your codec is hooked in with two functions: write comet_decode and comet_encode of comet.h for it. */
#include "comet.h"

static const char HELLO[] =
    "\"ok\":{\"contract\":1,\"name\":\"C kit\",\"language\":\"C\",\"version\":\"1\",\"protocols\":{\"comet\":"
    "{\"operations\":[\"decode\",\"encode\",\"stream\"],\"directions\":[\"c2s\",\"s2c\"]}}}";
static const char *const PROFILE[][2] = {
    {"order", "big"}, {"utf8", "strict"}, {"bytes", "short"}, {"extra", "byte"}, {"short", "unsigned"},
    {"byte", "unsigned"}, {"ts", "signed"}, {"crypto", "none"}, {"environ_reply", "ok"}};

static bool is_standard(const struct json *profile) {
    size_t known = 0;
    for (size_t i = 0; i < sizeof PROFILE / sizeof *PROFILE; i++)
        known += json_equals(json_get(profile, PROFILE[i][0]), PROFILE[i][1]);
    return !profile || profile->size == known;
}

static void wrong(struct text *answer, const char *expected) {
    text_print(answer, "\"error\":{\"message\":\"%s expected\"}", expected);
}

static void lacks(struct text *answer, const char *reason) {
    text_print(answer, "\"unsupported\":{\"reason\":\"%s\"}", reason);
}

static void encode(bool server, const struct json *value, struct text *answer) {
    struct text bytes = {0};
    const char *error = NULL;
    if (!comet_encode(server, value, &bytes, &error)) wrong(answer, "value: a message");
    else if (error) text_print(answer, "\"reject\":{\"error\":\"%s\"}", error);
    else text_print(answer, "\"ok\":{\"hex\":"), text_hex(answer, bytes.at, bytes.size), text_close(answer, '}');
    free(bytes.at);
}

/* A whole input is a chunk that is followed by no other, and `after` says nothing about it. */
static void decode(bool server, const struct json *chunk, bool whole, bool eof, struct text *answer) {
    struct text data = {0}, messages = {0}, after = {0};
    const char *error = NULL;
    size_t consumed = 0, pos = 0;
    text_print(&messages, "\"messages\":["), text_print(&after, "\"after\":[");
    for (int index = 0; chunk && !error; chunk = whole ? NULL : chunk->next, index++) {
        text_add_unhex(&data, chunk);
        for (; comet_decode(server, &data, &pos, &messages, &error); consumed = pos) text_print(&after, "%d,", index);
    }
    if (eof && !error && consumed < data.size) error = "truncated", pos = data.size;
    if (error) text_print(answer, "\"reject\":{\"error\":\"%s\",\"offset\":%zu,", error, pos);
    else text_print(answer, "\"%s\":{\"consumed\":%zu,", consumed < data.size ? "incomplete" : "ok", consumed);
    text_close(&messages, ']'), text_add(answer, messages.at, messages.size);
    text_close(&after, ']'), text_add(answer, after.at, whole ? 0 : after.size);
    text_close(answer, '}');
    free(data.at), free(messages.at), free(after.at);
}

static void outcome(const struct json *request, struct text *answer) {
    const struct json *op = json_get(request, "op"), *protocol = json_get(request, "protocol");
    const struct json *direction = json_get(request, "direction"), *profile = json_get(request, "profile");
    const struct json *hex = json_get(request, "hex"), *chunks = json_get(request, "chunks");
    const struct json *eof = json_get(request, "eof"), *value = json_get(request, "value");
    bool server = json_equals(direction, "s2c"), whole = json_equals(op, "decode"), writes = json_equals(op, "encode");
    if (!json_is(op, JSON_STRING)) wrong(answer, "op: a string");
    else if (json_equals(op, "hello")) text_print(answer, "%s", HELLO);
    else if (!whole && !writes && !json_equals(op, "stream")) lacks(answer, "no such operation");
    else if (!json_is(protocol, JSON_STRING)) wrong(answer, "protocol: a string");
    else if (!json_equals(protocol, "comet")) lacks(answer, "no protocol but comet");
    else if (!server && !json_equals(direction, "c2s")) wrong(answer, "direction: c2s or s2c");
    else if (profile && !json_is(profile, JSON_OBJECT)) wrong(answer, "profile: an object");
    else if (!is_standard(profile)) lacks(answer, "no profile but standard");
    else if (writes) encode(server, value, answer);
    else if (whole ? !json_is_hex(hex) : !json_is_hex_list(chunks)) wrong(answer, "hex");
    else if (whole) decode(server, hex, true, true, answer);
    else if (eof && !json_is(eof, JSON_TRUE) && !json_is(eof, JSON_FALSE)) wrong(answer, "eof: true or false");
    else decode(server, chunks->first, false, !json_is(eof, JSON_FALSE), answer);
}

static void respond(const struct json *request, struct text *answer) {
    const struct json *id = json_get(request, "id");
    bool good = json_is(id, JSON_INTEGER);
    text_print(answer, "{\"id\":%.*s,", good ? (int)id->size : 4, good ? id->text : "null");
    if (good) outcome(request, answer);
    else wrong(answer, "a JSON object with an integer id");
    text_close(answer, '}');
}

int main(void) {
    json_answer_lines(respond);
}
