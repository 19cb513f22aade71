import static java.nio.charset.StandardCharsets.UTF_8;
import java.nio.*;
import java.text.ParseException;
import java.util.*;
/** The protocol comet under the profile standard. A ParseException has an error class as its message. */
final class Comet {
    /** Messages by type: name, then fields and their kinds. X[] is a byte with the count, then so many X. */
    static final Map<String, String[]> MESSAGES = Map.of("c2s", new String[] {
        "auth client_id:string token:string", "exchange_key secret_key:bytes", "get_topic_list",
        "subscribe topics:topic[]", "unsubscribe topics:topic[]", "get_message_list", "heartbeat",
        "message_ack msg_ids:string[]",
        "report_environ network_type:byte isp:byte phone_type:string extra:string[]",
    }, "s2c", new String[] {"ok", "error error_code:byte reason:string", "auth_success encrypt_key:bytes",
        "topic_list topics:topic[]", "message_list notifications:record[]", "message notification:record"});
    static final String RECORD = "message_struct msg_type:byte msg_id:string content:string ts:long";
    /** HOOK: takes the next message from the input; null if it is not all there. */
    static Map<String, ?> decode(String direction, ByteBuffer input) throws ParseException {
        if (input.remaining() < 2) return null;
        int start = input.position(), end = start + 2 + (input.getShort(start) & 0xffff);
        if (end == start + 2) throw new ParseException("length-mismatch", start);
        if (end > input.limit()) return null;
        int type = input.get(start + 2) & 0xff;
        if (type >= MESSAGES.get(direction).length) throw new ParseException("unknown-type", start + 2);
        String layout = MESSAGES.get(direction)[type];
        ByteBuffer content = input.slice(0, end).position(start + 3); // so that positions are offsets
        try {
            Map<String, Object> command = Json.object(read(layout, content));
            command.putAll(Map.of("dir", direction, "type", type, "name", layout.split(" ")[0]));
            if (content.hasRemaining()) throw new ParseException("trailing-bytes", content.position());
            input.position(end);
            return Map.of("command", command);
        } catch (BufferUnderflowException overrun) { // which leaves the position where it was
            throw new ParseException("overrun", content.position());
        }
    }

    static Object read(String kind, ByteBuffer in) throws ParseException {
        if (kind.equals("byte")) return in.get() & 0xff;
        if (kind.equals("long")) return Long.toString(in.getLong());
        if (kind.equals("record")) return read(RECORD, in);
        if (kind.matches("bytes|string|topic")) {
            byte[] run = new byte[in.getShort() & 0xffff];
            int at = in.get(run).position() - run.length;
            if (kind.equals("bytes")) return HexFormat.of().formatHex(run);
            String text = new String(run, UTF_8); // with U+FFFD for what is malformed
            if (!Arrays.equals(run, text.getBytes(UTF_8))) throw new ParseException("invalid-utf8", at);
            if (kind.equals("topic") && !text.startsWith("@")) throw new ParseException("invalid-value", at);
            return text;
        }
        List<Object> items = new ArrayList<>();
        Map<String, Object> fields = new HashMap<>();
        String[] words = kind.split("[ :]"); // a name, then those of fields, each with its kind
        for (int i = 1; i < words.length; i += 2) fields.put(words[i], read(words[i + 1], in));
        if (!kind.matches("\\w+\\[]")) return fields;
        for (int count = in.get() & 0xff; count > 0; count--) items.add(read(kind.replace("[]", ""), in));
        return items;
    }
    /** HOOK: the bytes of a message, in hex. */
    static String encode(String direction, Object value) throws ParseException {
        Map<String, Object> command = Json.object(Json.object(value).get("command"));
        int type = HexFormat.fromHexDigits(write("byte", command.get("type")));
        if (type >= MESSAGES.get(direction).length) throw new ParseException("unknown-type", 0);
        return write("bytes", write("byte", (long) type) + write(MESSAGES.get(direction)[type], command));
    }
    static String write(String kind, Object value) throws ParseException {
        if (kind.equals("byte")) return number(2, (Number) value, "out-of-range");
        if (kind.equals("long")) return number(16, (Number) Json.parse((String) value), "out-of-range");
        if (kind.equals("record")) return write(RECORD, value);
        if (kind.equals("bytes")) return number(4, ((String) value).length() / 2L, "limit-exceeded") + value;
        StringBuilder hex = new StringBuilder();
        if (kind.matches("string|topic")) {
            String text = value instanceof Map ? "\ud800" : (String) value; // {"hex": ...} is no UTF-8 either
            if (!UTF_8.newEncoder().canEncode(text)) throw new ParseException("invalid-utf8", 0);
            hex.append(write("bytes", HexFormat.of().formatHex(text.getBytes(UTF_8))));
            if (kind.equals("topic") && !text.startsWith("@")) throw new ParseException("invalid-value", 0);
        } else if (kind.matches("\\w+\\[]")) {
            hex.append(number(2, (long) ((List<?>) value).size(), "limit-exceeded"));
            for (Object item : (List<?>) value) hex.append(write(kind.replace("[]", ""), item));
        } else {
            String[] words = kind.split("[ :]");
            Map<String, Object> fields = Json.object(value);
            for (int i = 1; i < words.length; i += 2) hex.append(write(words[i + 1], fields.get(words[i])));
        }
        return hex.toString();
    }
    static String number(int size, Number value, String error) throws ParseException {
        boolean fits = value.equals(value.longValue()) && (size == 16 || value.longValue() >> 4 * size == 0);
        if (!fits) throw new ParseException(error, 0);
        return HexFormat.of().toHexDigits(value.longValue(), size);
    }
}
