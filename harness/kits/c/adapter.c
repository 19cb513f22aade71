/* A wireproof adapter: a JSON request a line on standard input, a JSON answer a line on standard output.
 * This file is the contract. HOOK marks the two calls into the codec: put your own in the place of comet. */
#include "comet.h"

#define HELLO "'ok':{'contract':1,'name':'C kit','language':'C','protocols':{'comet':" \
    "{'operations':['decode','encode','stream'],'directions':['c2s','s2c']}}}"
#define STANDARD "order=big utf8=strict bytes=short extra=byte short=unsigned byte=unsigned ts=signed " \
    "crypto=none environ_reply=ok"

static void decode(bool server, struct json *chunk, bool eof, bool stream, struct text *out) {
    struct text data = {0}, messages = {0}, after = {0};
    size_t pos = 0;
    for (int index = 0; chunk; chunk = stream ? chunk->next : NULL, index++) {
        struct json *bytes = json_as(chunk, JSON_HEX), message = {.open = true};
        text_add(&data, bytes->text, bytes->size);
        for (size_t size = 1; size > 0; pos += size, json_clear(&message)) {
            size = comet_decode(server, data.at + pos, data.size - pos, &message); /* HOOK */
            if (size > 0) text_json(&messages, &message), text_print(&after, "%d", index);
        }
    }
    check(pos == data.size || !eof, "truncated", data.size - pos);
    if (fault.error) text_print(out, "'reject':{'error':'%s','offset':%zu", fault.error, pos + fault.offset);
    else text_print(out, "'%s':{'consumed':%zu", pos < data.size ? "incomplete" : "ok", pos);
    text_list(out, "messages", &messages);
    if (stream) text_list(out, "after", &after);
    text_print(out, "}");
    free(data.at), free(messages.at), free(after.at);
}

static void outcome(struct json *request, struct text *out) {
    struct json *op = json_get(request, "op"), *protocol = json_find(request, "protocol");
    bool fits = json_equals(protocol, "comet") && json_is_within(json_find(request, "profile"), STANDARD);
    bool server = json_equals(json_find(request, "direction"), "s2c");
    bool eof = !json_is(json_find(request, "eof"), JSON_FALSE);
    if (json_equals(op, "hello")) text_print(out, HELLO);
    else if (fits && json_equals(op, "decode")) decode(server, json_get(request, "hex"), true, false, out);
    else if (fits && json_equals(op, "stream")) decode(server, json_items(request, "chunks"), eof, true, out);
    else if (fits && json_equals(op, "encode")) {
        struct text bytes = {0};
        comet_encode(server, json_get(request, "value"), &bytes); /* HOOK */
        if (fault.error) text_print(out, "'reject':{'error':'%s'}", fault.error);
        else text_print(out, "'ok':{'hex':"), text_hex(out, bytes.at, bytes.size), text_print(out, "}");
        free(bytes.at);
    } else text_print(out, "'unsupported':{'reason':'only comet, only under the profile standard'}");
}

int main(void) {
    static char *line;
    static size_t room;
    static struct text out;
    for (ssize_t size; (size = getline(&line, &room, stdin)) > 0; out.size = 0) {
        struct json *request = json_read(line, (size_t)size), *id = json_find(request, "id");
        bool good = json_is(id, JSON_INTEGER);
        fault.error = NULL, json_problem = good ? NULL : "JSON object with an integer id";
        if (good) outcome(request, &out);
        if (json_problem) out.size = 0, text_print(&out, "'error':{'message':'no %s'}", json_problem);
        printf("{\"id\":%.*s,%s}\n", good ? (int)id->size : 4, good ? id->text : "null", out.at);
        fflush(stdout);
        free(request);
    }
}
