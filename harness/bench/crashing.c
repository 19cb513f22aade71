/* An adapter that starts in no time, supports nothing, and is ended by SIGSEGV over a request that says so:
   what a crash costs with it is what it costs the harness. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char CLAIMS[] =
    "\"ok\":{\"contract\":1,\"name\":\"crashing\",\"protocols\":{\"comet\":{\"operations\":[\"decode\"]}}}}";
static const char ANSWER[] = "\"unsupported\":{\"reason\":\"it only crashes\"}}";

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        long id = 0;
        sscanf(line, "{\"id\":%ld", &id);
        if (strstr(line, "\"crash\"")) raise(SIGSEGV);
        printf("{\"id\":%ld,%s\n", id, strstr(line, "\"hello\"") ? CLAIMS : ANSWER);
        fflush(stdout);
    }
    return 0;
}
