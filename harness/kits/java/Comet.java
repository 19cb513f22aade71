import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.text.ParseException;
import java.util.*;

/** The protocol comet, profile standard. Replace what next and encode do by calls into your own implementation. */
final class Comet {
    /** The commands of each direction by type: name, fields with types; [] is a byte with the count, then items. */
    private static final Map<String, String[][]> COMMANDS = Map.of("c2s", new String[][] {
        {"auth", "client_id", "string", "token", "string"}, {"exchange_key", "secret_key", "bytes"}, {"get_topic_list"},
        {"subscribe", "topics", "[]topic"}, {"unsubscribe", "topics", "[]topic"}, {"get_message_list"}, {"heartbeat"},
        {"message_ack", "msg_ids", "[]string"},
        {"report_environ", "network_type", "byte", "isp", "byte", "phone_type", "string", "extra", "[]string"},
    }, "s2c", new String[][] {
        {"ok"}, {"error", "error_code", "byte", "reason", "string"}, {"auth_success", "encrypt_key", "bytes"},
        {"topic_list", "topics", "[]topic"}, {"message_list", "notifications", "[]message_struct"},
        {"message", "notification", "message_struct"}});
    private static final String[] MESSAGE_STRUCT =
        {"message_struct", "msg_type", "byte", "msg_id", "string", "content", "string", "ts", "long"};

    /** The next message of the input, or null if it is not all there. A ParseException is called as its error class. */
    static Map<String, ?> next(String direction, ByteBuffer input) throws ParseException {
        if (input.remaining() < 2) return null;
        int start = input.position(), length = input.getShort(start) & 0xffff;
        if (length == 0) throw new ParseException("length-mismatch", start);
        if (input.remaining() < 2 + length) return null;
        ByteBuffer in = input.duplicate().position(start + 2).limit(start + 2 + length); // positions stay offsets
        int type = in.get() & 0xff;
        if (type >= COMMANDS.get(direction).length) throw new ParseException("unknown-type", start + 2);
        String[] layout = COMMANDS.get(direction)[type];
        Map<String, Object> command = new LinkedHashMap<>();
        command.put("dir", direction);
        command.put("type", type);
        command.put("name", layout[0]);
        command.putAll(readFields(layout, in));
        if (in.hasRemaining()) throw new ParseException("trailing-bytes", in.position());
        input.position(in.position());
        return Map.of("command", command);
    }

    private static Map<String, Object> readFields(String[] layout, ByteBuffer in) throws ParseException {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 1; i < layout.length; i += 2) values.put(layout[i], read(layout[i + 1], in));
        return values;
    }

    private static Object read(String type, ByteBuffer in) throws ParseException {
        switch (type) {
            case "byte": return need(1, in).get() & 0xff;
            case "long": return Long.toString(need(8, in).getLong());
            case "message_struct": return readFields(MESSAGE_STRUCT, in);
            case "bytes", "string", "topic":
                byte[] run = new byte[need(2, in).getShort() & 0xffff];
                int start = in.position();
                need(run.length, in).get(run);
                if (type.equals("bytes")) return Json.hex(run);
                String text = new String(run, UTF_8); // puts U+FFFD for what is malformed, so its bytes differ
                if (!Arrays.equals(run, text.getBytes(UTF_8))) throw new ParseException("invalid-utf8", start);
                if (type.equals("topic") && !text.startsWith("@")) throw new ParseException("invalid-value", start);
                return text;
            default:
                List<Object> items = new ArrayList<>();
                for (int count = need(1, in).get() & 0xff; count > 0; count--) items.add(read(type.substring(2), in));
                return items;
        }
    }

    private static ByteBuffer need(int size, ByteBuffer in) throws ParseException {
        if (in.remaining() < size) throw new ParseException("overrun", in.position());
        return in;
    }

    /** What is written, and why it must not be: the first reason is the answer, if the whole value has its shape. */
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<String> refusals = new ArrayList<>();

    /** The bytes of a message. What has not the shape of one is an IllegalArgumentException. */
    static byte[] encode(String direction, Object value) throws ParseException {
        Map<String, Object> command = Json.object(Json.only("command", value), "command");
        if (!direction.equals(command.remove("dir"))) throw Json.wrong("dir", direction);
        Long type = Json.integer(command.remove("type"), "type");
        if (type == null || type < 0 || type > 0xff) throw new ParseException("out-of-range", 0);
        if (type >= COMMANDS.get(direction).length) throw new ParseException("unknown-type", 0);
        command.remove("name");
        Comet content = new Comet();
        content.out.write(type.intValue());
        content.writeFields(COMMANDS.get(direction)[type.intValue()], command);
        int length = content.out.size();
        if (length > 0xffff) content.refusals.add("limit-exceeded");
        if (!content.refusals.isEmpty()) throw new ParseException(content.refusals.get(0), 0);
        return ByteBuffer.allocate(2 + length).putShort((short) length).put(content.out.toByteArray()).array();
    }

    private void writeFields(String[] layout, Map<String, ?> values) {
        for (int i = 1; i < layout.length; i += 2) write(layout[i + 1], values.remove(layout[i]));
        if (!values.isEmpty()) throw Json.wrong(layout[0], "no " + values.keySet());
    }

    private void write(String type, Object value) {
        switch (type) {
            case "byte" -> number(1, Json.integer(value, type), 0, 0xff, "out-of-range");
            case "long" -> number(8, Json.decimal(value, type), Long.MIN_VALUE, Long.MAX_VALUE, "out-of-range");
            case "message_struct" -> writeFields(MESSAGE_STRUCT, Json.object(value, type));
            case "bytes" -> run(Json.hex(value, type));
            case "string", "topic" -> {
                String text = Json.text(value, type);
                if (!UTF_8.newEncoder().canEncode(text)) refusals.add("invalid-utf8");
                run(text.getBytes(UTF_8));
                if (type.equals("topic") && !text.startsWith("@")) refusals.add("invalid-value");
            }
            default -> {
                List<?> items = Json.list(value, type);
                number(1, (long) items.size(), 0, 0xff, "limit-exceeded");
                for (Object item : items) write(type.substring(2), item);
            }
        }
    }

    private void run(byte[] run) {
        number(2, (long) run.length, 0, 0xffff, "limit-exceeded");
        out.writeBytes(run);
    }

    private void number(int size, Long number, long least, long most, String error) {
        if (number == null || number < least || number > most) refusals.add(error);
        else for (int shift = 8 * size - 8; shift >= 0; shift -= 8) out.write((int) (number >> shift));
    }
}
