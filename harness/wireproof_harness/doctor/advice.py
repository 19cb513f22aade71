"""The cures for what is wrong with the lines an adapter writes: why it matters, what to do, in which words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from wireproof_harness.doctor.findings import Finding


class Cure(NamedTuple):
    """What a finding of a kind says, whatever the evidence."""

    step: str
    why: str
    fix: str
    hints: Mapping[str, str] = {}


FLUSH: Final = {
    "Python": "print(json.dumps(answer), flush=True)",
    "C": "setvbuf(stdout, NULL, _IOLBF, 0);  /* once, at the start of main */",
    "C++": "std::cout << line << std::endl;",
    "Java": "System.out.println(line); System.out.flush();",
    "JavaScript": "process.stdout.write(line + '\\n')",
    "Go": "writer.WriteByte('\\n'); writer.Flush()",
    "Rust": 'writeln!(out, "{line}")?; out.flush()?;',
    "Ruby": "$stdout.sync = true",
    "Perl": "$| = 1;",
    "C#": "Console.Out.Flush();",
}
TO_STDERR: Final = {
    "Python": "print(text, file=sys.stderr)",
    "C": "fprintf(stderr, ...)",
    "C++": "std::cerr << text",
    "Java": "System.err.println(text)",
    "JavaScript": "console.error(text)",
    "Go": "fmt.Fprintln(os.Stderr, text)",
    "Rust": "eprintln!(...)",
}
WRITE_JSON: Final = {
    "Python": "print(json.dumps(answer), flush=True)",
    "JavaScript": "process.stdout.write(JSON.stringify(answer) + '\\n')",
    "Java": "out.println(json); out.flush();",
    "Go": "json.NewEncoder(os.Stdout).Encode(answer)",
    "Rust": 'println!("{}", serde_json::to_string(&answer)?)',
    "C": 'printf("%s\\n", json); fflush(stdout);',
}
UTF_8: Final = {
    "Python": "sys.stdout.reconfigure(encoding='utf-8')",
    "Java": "new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8)",
    "C#": "Console.OutputEncoding = new UTF8Encoding(false);",
    "PowerShell": "[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)",
}
ECHO_ID: Final = {
    "Python": 'answer["id"] = request["id"]',
    "JavaScript": "answer.id = request.id",
    "Java": 'answer.put("id", request.get("id"));',
}

_ONE_LINE: Final = (
    "Each answer is read up to its line feed: whatever is between two line feeds has to be one JSON object."
)
_MATCHED: Final = "Answers may come in any order, so the id alone says which request an answer belongs to."

CURES: Final[dict[str, Cure]] = {
    "stray-output": Cure(
        "output",
        "Every line on its output is read as an answer; this one ends a run as a contract error.",
        "Write banners, logs and debug output to stderr: it is kept with the run. Nothing but answers goes to stdout.",
        TO_STDERR,
    ),
    "echo": Cure(
        "output",
        "The request came back: nothing has answered it.",
        "Write the answer only; a terminal's or a wrapper's echo of what it reads has to be turned off.",
    ),
    "prefixed-answer": Cure(
        "output",
        "Every line on its output is read as JSON from its first character on.",
        "Write the bare answer to stdout, without the time, level or name a logger puts before it.",
        WRITE_JSON,
    ),
    "does-not-flush": Cure(
        "flush",
        "The suite waits for an answer before it asks on; an answer in a buffer is never seen, and ends as a timeout.",
        "Flush the output after each answer: into a pipe most languages write only when a buffer of some KiB is full.",
        FLUSH,
    ),
    "reads-ahead": Cure(
        "flush",
        "The suite may wait for an answer before it sends the next request; this one answers only after more input.",
        "Answer each line as soon as its line feed is there, and flush: do not read in blocks or wait for a batch.",
        {**FLUSH, "Python": "for line in sys.stdin: ...; print(json.dumps(answer), flush=True)"},
    ),
    "no-answer": Cure(
        "flush",
        "A request without an answer ends as a timeout.",
        "Read a line from stdin, write one JSON line to stdout, flush, and go on until the input ends; "
        "`wireproof kit` writes an adapter that does.",
    ),
    "does-not-read": Cure(
        "flush",
        "Requests come on its standard input, and it has not taken the first one.",
        "Read requests line by line from stdin as soon as the program runs. A program that listens on a socket instead "
        "is named by its address: `wireproof doctor tcp://HOST:PORT`.",
    ),
    "flood": Cure(
        "output",
        "More came than all requests so far can have answers; a run would end it at once.",
        "Write exactly one line for each line read, and wait for the next request in between.",
    ),
    "memory": Cure(
        "start",
        "An implementation that takes more memory than it is given is ended, and the question counts as a crash.",
        "Find what grows without bound; or state `memory` (MiB) in a manifest if it needs so much.",
    ),
    "python-repr": Cure(
        "json",
        "A Python dict that is printed has single quotes, True and None: that is not JSON.",
        "Print json.dumps(answer) instead of the dict itself.",
        {"Python": WRITE_JSON["Python"]},
    ),
    "unquoted-keys": Cure(
        "json",
        "An object that is printed for people has keys without quotes: that is not JSON.",
        "Serialise the answer with a JSON library; in JavaScript JSON.stringify(answer), not console.log(answer).",
        WRITE_JSON,
    ),
    "json-nan": Cure(
        "json",
        "NaN and Infinity are no JSON, and most parsers stop at them.",
        'Floats are answered by their bits in hex, {"t": "float32", "bits": "7fc00001"}, never as numbers; in Python '
        "json.dumps(..., allow_nan=False) finds the place.",
    ),
    "trailing-comma": Cure(
        "json",
        "JSON has no comma before a closing bracket.",
        "Write commas between items only; better, let a JSON library write the answer.",
        WRITE_JSON,
    ),
    "missing-newline": Cure(
        "json",
        _ONE_LINE,
        "End each answer with a line feed, \\n, and flush after it.",
        WRITE_JSON,
    ),
    "pretty-printed": Cure(
        "json",
        _ONE_LINE,
        "Write the answer without line breaks and indentation.",
        {
            "Python": "json.dumps(answer)  # without indent=",
            "JavaScript": "JSON.stringify(answer)  // without a third argument",
            "Java": "new ObjectMapper()  // without INDENT_OUTPUT",
            "Go": "json.Marshal, not json.MarshalIndent",
            "Rust": "serde_json::to_string, not to_string_pretty",
        },
    ),
    "byte-order-mark": Cure(
        "json",
        "The line begins with a byte order mark (ef bb bf), which is no part of JSON.",
        "Write UTF-8 without a byte order mark.",
        {**UTF_8, "Python": "encoding='utf-8', not 'utf-8-sig'"},
    ),
    "utf-16": Cure(
        "json", "Lines are UTF-8; this is UTF-16, with a zero byte beside each letter.", "Write UTF-8 to stdout.", UTF_8
    ),
    "not-utf-8": Cure(
        "json",
        "Lines are UTF-8; this one has bytes that are not.",
        "Write UTF-8 to stdout, whatever the locale is.",
        UTF_8,
    ),
    "json-in-a-string": Cure(
        "json",
        "The answer has been made JSON twice: it is a string that holds the object.",
        "Serialise the answer once.",
        WRITE_JSON,
    ),
    "not-an-object": Cure(
        "json", "An answer is a JSON object.", 'Write an object: {"id": 17, "ok": {...}}.', WRITE_JSON
    ),
    "json-depth": Cure("json", "It is nested deeper than any answer.", "Look for an object that holds itself."),
    "not-json": Cure(
        "json", "Every line on its output is read as JSON.", "Let a JSON library write the answer.", WRITE_JSON
    ),
    "no-id": Cure("ids", _MATCHED, "Copy `id` from the request into the answer.", ECHO_ID),
    "string-id": Cure(
        "ids", _MATCHED, 'Answer the id as it came, as a number: 17, not "17".', {"Python": ECHO_ID["Python"]}
    ),
    "id-type": Cure("ids", _MATCHED, "Answer the id as it came: an integer.", ECHO_ID),
    "same-id": Cure(
        "ids", _MATCHED, "Take `id` from each request anew: this adapter gives every answer the same one.", ECHO_ID
    ),
    "id-off-by-one": Cure(
        "ids", _MATCHED, "Answer the id of the request itself: this one is counted, one beside it.", ECHO_ID
    ),
    "own-ids": Cure("ids", _MATCHED, "Copy `id` from the request; do not count answers.", ECHO_ID),
    "wrong-id": Cure("ids", _MATCHED, "Copy `id` from the request into the answer, unchanged.", ECHO_ID),
    "answers-twice": Cure(
        "ids",
        "The second answer belongs to nothing, and ends a run as a contract error.",
        "Write exactly one line for each request: look for a second write of the same answer, such as one in a "
        "`finally` or in both a handler and its caller.",
    ),
    "unknown-key": Cure(
        "json",
        "Besides `id` an answer has exactly one key: ok, incomplete, reject, unsupported or error.",
        "Use one of these five keys and no others; whatever else there is to say goes to stderr.",
    ),
    "not-in-ok": Cure(
        "json",
        "Besides `id` an answer has exactly one key: ok, incomplete, reject, unsupported or error.",
        'Put the content into ok: {"id": 17, "ok": {...}}.',
    ),
    "answer-form": Cure(
        "json",
        "Besides `id` an answer has exactly one key: ok, incomplete, reject, unsupported or error.",
        'Write one of them: {"id": 17, "ok": {...}} or {"id": 17, "error": {"message": "..."}}.',
    ),
}


def finding(name: str, seen: str, **changes: str) -> Finding:
    """A finding of a known kind with its evidence."""
    cure = CURES[name]
    return Finding(name, cure.step, seen, changes.get("why", cure.why), changes.get("fix", cure.fix), dict(cure.hints))
