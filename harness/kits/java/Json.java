import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON (RFC 8259), since the JDK has none. Objects are maps, arrays are lists, integers of up to 64 bits are
 * Longs and all other numbers Doubles; strings, booleans and null are Java's own. Whatever is wrong is an
 * IllegalArgumentException.
 */
final class Json {
    /** A value to be written that is JSON already. */
    record Literal(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    /** Deeper nesting is refused rather than left to the stack. */
    private static final int DEEPEST = 512;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** The one value that UTF-8 holds. */
    static Object parse(byte[] utf8) {
        try {
            return parse(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
        } catch (CharacterCodingException problem) {
            throw new IllegalArgumentException("not UTF-8", problem);
        }
    }

    /** Parses text, be it a whole line or a number in a string. */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        if (json.at < text.length()) throw json.wrong("more than one value");
        return value;
    }

    @SuppressWarnings("unchecked") // keys are always strings
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private Object value(int depth) {
        if (depth > DEEPEST) throw wrong("nested too deeply");
        Object value = switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
        peek();
        return value;
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> object = new LinkedHashMap<>();
        at++;
        if (accept('}')) return object;
        do {
            if (peek() != '"') throw wrong("a key expected");
            String key = string();
            if (!accept(':')) throw wrong("':' expected");
            object.put(key, value(depth + 1));
        } while (accept(','));
        if (!accept('}')) throw wrong("',' or '}' expected");
        return object;
    }

    private List<Object> array(int depth) {
        List<Object> array = new ArrayList<>();
        at++;
        if (accept(']')) return array;
        do {
            array.add(value(depth + 1));
        } while (accept(','));
        if (!accept(']')) throw wrong("',' or ']' expected");
        return array;
    }

    /** A Java string can hold half a surrogate pair, so an escape of one is kept as it is. */
    private String string() {
        int start = ++at;
        while (next() != '"' && text.charAt(at) != '\\') at++;
        if (text.charAt(at) == '"') return text.substring(start, at++);
        StringBuilder string = new StringBuilder().append(text, start, at);
        for (char c = next(); c != '"'; c = next()) {
            at++;
            string.append(c == '\\' ? escaped() : c);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char c = next();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unit();
            default -> throw wrong("no such escape");
        };
    }

    private char unit() {
        if (text.length() - at < 4) throw wrong("four hex digits expected");
        at += 4;
        return (char) HexFormat.fromHexDigits(text, at - 4, at);
    }

    /** The next character of a string. */
    private char next() {
        if (at >= text.length() || text.charAt(at) < ' ') throw wrong("the string has no end");
        return text.charAt(at);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) throw wrong("a value expected");
        at += word.length();
        return value;
    }

    private Number number() {
        int start = at;
        skip('-');
        if (!skip('0')) digits();
        if (skip('.')) digits();
        if (skip('e') || skip('E')) {
            if (!skip('+')) skip('-');
            digits();
        }
        String number = text.substring(start, at);
        try {
            return Long.valueOf(number);
        } catch (NumberFormatException noLong) { // a fraction, an exponent, or too many digits
            return Double.valueOf(number);
        }
    }

    private void digits() {
        int start = at;
        while (at < text.length() && isDigit(text.charAt(at))) at++;
        if (at == start) throw wrong("a value expected");
    }

    private boolean skip(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        if (there) at++;
        return there;
    }

    private boolean accept(char c) {
        peek();
        return skip(c);
    }

    /** The next character that is no white space, or 0 at the end. */
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        return at < text.length() ? text.charAt(at) : 0;
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("character " + at + ": " + what);
    }

    /** The text of a value, all ASCII. What is none of the types above is written as its toString. */
    static String text(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> object) {
            char before = '{';
            for (Map.Entry<?, ?> entry : object.entrySet()) {
                out.append(before);
                quote(entry.getKey().toString(), out);
                write(entry.getValue(), out.append(':'));
                before = ',';
            }
            out.append(object.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> array) {
            out.append('[');
            for (int i = 0; i < array.size(); i++) write(array.get(i), i == 0 ? out : out.append(','));
            out.append(']');
        } else if (value instanceof String string) {
            quote(string, out);
        } else {
            out.append(value);
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ' || c > '~') out.append("\\u").append(HexFormat.of().toHexDigits(c));
            else out.append(c);
        }
        out.append('"');
    }
}
