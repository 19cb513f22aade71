import java.io.*;
import java.nio.ByteBuffer;
import java.text.ParseException;
import java.util.*;
/** The contract: JSON requests come in a line each, JSON answers go out. Your codec is called by Comet. */
public final class Adapter {
    static final Map<String, ?> HELLO = Map.of("contract", 1, "name", "Java kit", "language", "Java",
        "protocols", Map.of("comet", Map.of("operations", List.of("decode", "encode", "stream"))));
    static final List<String> STANDARD = List.of(("order=big utf8=strict bytes=short extra=byte "
        + "short=unsigned byte=unsigned ts=signed crypto=none environ_reply=ok").split(" "));
    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, "ISO-8859-1")); // a character a byte
        for (String line; (line = input.readLine()) != null; System.out.flush())
            System.out.println(Json.text(answer(line.getBytes("ISO-8859-1"))));
    }
    static Map<String, ?> answer(byte[] line) {
        Map<String, Object> answer = new HashMap<>(), done = new HashMap<>();
        answer.put("id", null);
        try {
            Map<String, Object> request = Json.object(Json.parse(line));
            answer.put("id", (long) request.get("id"));
            answer.putAll(reply(request, done));
        } catch (ParseException fault) { // in bytes, behind the messages there are, or in a value
            done.put("error", fault.getMessage());
            if (done.containsKey("messages")) done.put("offset", fault.getErrorOffset());
            answer.put("reject", done);
        } catch (RuntimeException problem) { // no JSON, a missing key, a value of the wrong type, bad hex
            answer.put("error", Map.of("message", problem.toString()));
        }
        return answer;
    }

    static Map<String, ?> reply(Map<String, Object> request, Map<String, Object> done) throws ParseException {
        String op = (String) request.get("op"), direction = (String) request.get("direction");
        if (op.equals("hello")) return Map.of("ok", HELLO);
        boolean isKnown = op.matches("decode|encode|stream") && request.get("protocol").equals("comet");
        var profile = Json.object(request.getOrDefault("profile", Map.of())).entrySet();
        if (!isKnown || !profile.stream().allMatch(entry -> STANDARD.contains(entry.toString())))
            return Map.of("unsupported", Map.of("reason", "only comet under standard is known"));
        if (op.equals("encode"))
            return Map.of("ok", Map.of("hex", Comet.encode(direction, request.get("value"))));
        List<?> chunks = op.equals("decode") ? List.of(request.get("hex")) : (List<?>) request.get("chunks");
        String hex = String.join("", chunks.toArray(String[]::new));
        if (!hex.equals(hex.toLowerCase())) throw new IllegalArgumentException("hex is lower case");
        ByteBuffer input = ByteBuffer.wrap(HexFormat.of().parseHex(hex)).limit(0); // nothing has arrived yet
        List<Object> messages = new ArrayList<>(), after = new ArrayList<>();
        done.put("messages", messages);
        if (op.equals("stream")) done.put("after", after);
        for (int index = 0; index < chunks.size(); index++) {
            input.limit(input.limit() + chunks.get(index).toString().length() / 2); // a chunk arrives
            for (Object message; (message = Comet.decode(direction, input)) != null; after.add(index))
                messages.add(new Json.Literal(Json.text(message))); // text takes far less memory
        }
        boolean isEnded = (boolean) request.getOrDefault("eof", true);
        if (isEnded && input.hasRemaining()) throw new ParseException("truncated", input.limit());
        done.put("consumed", input.position());
        return Map.of(input.hasRemaining() ? "incomplete" : "ok", done);
    }
}
