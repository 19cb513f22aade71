/* What adapter.c needs of a codec. */
#include "json.h"

/* Adds the message at `*pos` to `out` as JSON and moves `*pos` behind it. False if it is not complete, or if it
 * is no message: then `*error` is set, and `*pos` is where the fault is. */
bool comet_decode(bool server, const struct text *data, size_t *pos, struct text *out, const char **error);

/* Adds the bytes of a value to `out`, or sets `*error` if it must not be written. False if its shape is wrong. */
bool comet_encode(bool server, const struct json *value, struct text *out, const char **error);
