import java.io.*;
import java.nio.ByteBuffer;
import java.text.ParseException;
import java.util.*;

/**
 * A wireproof adapter: one JSON request a line on standard input, one JSON answer a line on standard output. This file
 * is the contract. All it asks of a codec are the two calls marked HOOK: to check your own implementation, call it
 * there, or behind them in Comet.java, and let HELLO say what it is and what it can do.
 */
public final class Adapter {
    static final Map<String, ?> HELLO = Map.of("contract", 1, "name", "comet starter kit", "language", "Java",
            "protocols", Map.of("comet", Map.of("operations", List.of("decode", "encode", "stream"))));
    static final Map<String, ?> STANDARD = Map.of("order", "big", "utf8", "strict", "bytes", "short", "extra", "byte",
            "short", "unsigned", "byte", "unsigned", "ts", "signed", "crypto", "none", "environ_reply", "ok");

    public static void main(String[] arguments) throws IOException {
        Json.answerLines(System.in, System.out, Adapter::answer);
    }

    private static Map<String, ?> answer(byte[] line) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", null);
        try {
            Map<String, Object> request = Json.object(Json.parse(line), "request");
            Json.integer(request.get("id"), "id");
            answer.put("id", request.get("id"));
            answer.putAll(outcome(request));
        } catch (IllegalArgumentException problem) {
            answer.put("error", Map.of("message", problem.getMessage()));
        } catch (UnsupportedOperationException missing) {
            answer.put("unsupported", Map.of("reason", "not supported: " + missing.getMessage()));
        } catch (ParseException refusal) {
            answer.put("reject", Map.of("error", refusal.getMessage()));
        }
        return answer;
    }

    private static Map<String, ?> outcome(Map<String, Object> request) throws ParseException {
        String op = Json.string(request.get("op"), "op");
        if (op.equals("hello")) return Map.of("ok", HELLO);
        if (!op.matches("decode|encode|stream")) throw new UnsupportedOperationException(op);
        String protocol = Json.string(request.get("protocol"), "protocol");
        if (!protocol.equals("comet")) throw new UnsupportedOperationException(protocol);
        String direction = Json.string(request.get("direction"), "direction");
        if (!direction.matches("c2s|s2c")) throw Json.wrong("direction", "c2s or s2c");
        Map<String, ?> profile = Json.object(request.getOrDefault("profile", Map.of()), "profile");
        if (!STANDARD.entrySet().containsAll(profile.entrySet())) throw new UnsupportedOperationException("profile");
        if (op.equals("encode")) {
            return Map.of("ok", Map.of("hex", Json.hex(Comet.encode(direction, request.get("value"))))); // HOOK
        }
        if (op.equals("decode")) return decode(direction, List.of(Json.hex(request.get("hex"), "hex")), true, false);
        boolean eof = Json.bool(request.getOrDefault("eof", true), "eof");
        return decode(direction, Json.hexList(request.get("chunks"), "chunks"), eof, true);
    }

    private static Map<String, ?> decode(String direction, List<byte[]> chunks, boolean eof, boolean isStream) {
        ByteBuffer input = ByteBuffer.allocate(chunks.stream().mapToInt(chunk -> chunk.length).sum());
        chunks.forEach(input::put);
        input.flip().limit(0); // what is before the limit has arrived
        List<Json.Literal> messages = new ArrayList<>(); // as text, which takes far less memory
        List<Integer> after = new ArrayList<>();
        Map<String, Object> outcome = new LinkedHashMap<>(Map.of("messages", messages));
        if (isStream) outcome.put("after", after);
        try {
            for (int index = 0; index < chunks.size(); index++) {
                input.limit(input.limit() + chunks.get(index).length);
                for (Object message; (message = Comet.next(direction, input)) != null; after.add(index)) { // HOOK
                    messages.add(new Json.Literal(Json.text(message)));
                }
            }
            if (eof && input.hasRemaining()) throw new ParseException("truncated", input.limit());
            outcome.put("consumed", input.position());
            return Map.of(input.hasRemaining() ? "incomplete" : "ok", outcome);
        } catch (ParseException fault) {
            outcome.put("error", fault.getMessage());
            outcome.put("offset", fault.getErrorOffset());
            return Map.of("reject", outcome);
        }
    }
}
