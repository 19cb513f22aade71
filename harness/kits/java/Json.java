import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * JSON (RFC 8259) a line, since the JDK has none. Objects are maps that keep their order, arrays are lists, numbers are
 * {@link Literal}s; strings, booleans and null are Java's own. Whatever is wrong is an IllegalArgumentException.
 */
final class Json {
    /** JSON as it stands, such as a number the way it is spelled: no integer is too long, and 1.0 is not 1. */
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

    /** Writes the answer to each line. It is flushed before every read that may wait, and only then. */
    static void answerLines(InputStream input, OutputStream out, Function<byte[], ?> answer) throws IOException {
        BufferedOutputStream output = new BufferedOutputStream(out, 1 << 16);
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] piece = new byte[1 << 16];
        for (int size; (size = input.read(piece)) >= 0; output.flush()) {
            int start = 0;
            for (int i = 0; i < size; i++) {
                if (piece[i] != '\n') continue;
                line.write(piece, start, i - start);
                output.write((text(answer.apply(line.toByteArray())) + "\n").getBytes(StandardCharsets.UTF_8));
                line.reset();
                start = i + 1;
            }
            line.write(piece, start, size - start);
        }
    }

    /** The one value of a line of UTF-8. */
    static Object parse(byte[] line) {
        try {
            Json json = new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString());
            Object value = json.value(0);
            if (json.at < json.text.length()) throw json.wrong("more than one value");
            return value;
        } catch (CharacterCodingException problem) {
            throw new IllegalArgumentException("not UTF-8", problem);
        }
    }

    @SuppressWarnings("unchecked") // keys are always strings
    static Map<String, Object> object(Object value, String name) {
        return (Map<String, Object>) as(Map.class, value, name);
    }

    /** What an object has under its only key. */
    static Object only(String key, Object value) {
        Map<String, Object> object = object(value, "value");
        if (object.keySet().equals(Set.of(key))) return object.get(key);
        throw wrong(key, "an object with this one key");
    }

    static List<?> list(Object value, String name) {
        return as(List.class, value, name);
    }

    static String string(Object value, String name) {
        return as(String.class, value, name);
    }

    /** A string, or {"hex": ...} in the place of one that is no UTF-8: half a surrogate pair, which is none either. */
    static String text(Object value, String name) {
        if (!(value instanceof Map)) return string(value, name);
        hex(only("hex", value), name);
        return "\ud800";
    }

    static boolean bool(Object value, String name) {
        return as(Boolean.class, value, name);
    }

    static IllegalArgumentException wrong(String name, String expected) {
        return new IllegalArgumentException(name + ": expected " + expected);
    }

    private static <T> T as(Class<T> type, Object value, String name) {
        if (type.isInstance(value)) return type.cast(value);
        throw wrong(name, "a value of the type " + type.getSimpleName());
    }

    /** A number without fraction and exponent; null if it does not fit 64 bits. */
    static Long integer(Object value, String name) {
        String digits = as(Literal.class, value, name).text;
        if (digits.chars().allMatch(c -> c == '-' || isDigit(c))) return parseLong(digits);
        throw wrong(name, "an integer");
    }

    /** An integer in a string, as 64-bit numbers are given; null if it does not fit after all. */
    static Long decimal(Object value, String name) {
        String digits = string(value, name);
        if (digits.matches("0|-?[1-9][0-9]*")) return parseLong(digits);
        throw wrong(name, "a decimal string without leading zeros");
    }

    private static Long parseLong(String digits) {
        try {
            return Long.valueOf(digits);
        } catch (NumberFormatException tooLong) {
            return null;
        }
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /** The bytes of a value in lower-case hex, two digits each. */
    static byte[] hex(Object value, String name) {
        String digits = string(value, name);
        if (digits.length() % 2 == 0 && digits.chars().allMatch(c -> isDigit(c) || c >= 'a' && c <= 'f')) {
            return HexFormat.of().parseHex(digits);
        }
        throw wrong(name, "lower-case hex, two digits a byte");
    }

    static List<byte[]> hexList(Object value, String name) {
        List<byte[]> bytes = new ArrayList<>();
        for (Object item : list(value, name)) bytes.add(hex(item, name));
        return bytes;
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
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
        if (at >= text.length() || text.charAt(at) < ' ') throw wrong("a string without end, or a control character");
        return text.charAt(at);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) throw wrong("a value expected");
        at += word.length();
        return value;
    }

    private Literal number() {
        int start = at;
        skip('-');
        if (!skip('0')) digits();
        if (skip('.')) digits();
        if (skip('e') || skip('E')) {
            if (!skip('+')) skip('-');
            digits();
        }
        return new Literal(text.substring(start, at));
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

    /** The text of a value. What is none of the types above is written as its toString. */
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
            else if (c < ' ' || Character.isSurrogate(c)) out.append("\\u").append(HexFormat.of().toHexDigits(c));
            else out.append(c);
        }
        out.append('"');
    }
}
