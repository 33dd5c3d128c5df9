import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** My agent for {{title}}. */
public final class Agent {
    /** The answers go here. System.out is turned to standard error, so that printing does no harm. */
    private static final PrintStream ANSWERS = System.out;

    private final String seat;
    private final Random random = new Random();

    /** Called once, before the game. What is kept in fields stays from move to move. */
    private Agent(String seat) {
        this.seat = seat;
    }

    /**
     * Chooses a move. Replace this by something better.
     *
     * @param position where the game stands, as text; README.md explains it
     * @param legal the legal moves
     * @param deadline when the answer must have been sent, by System.nanoTime()
     */
    private String choose(String position, List<String> legal, long deadline) {
        System.out.println(seat + " to move in " + position);
        String best = legal.get(0);
        for (String move : legal) {
            // Look at the clock now and then, and stop well before the deadline.
            if (deadline - System.nanoTime() < 30_000_000L) {
                break;
            }
            // A random number instead of an opinion: the last move that wins the toss is played.
            if (random.nextInt(legal.size()) == 0) {
                best = move;
            }
        }
        return best;
    }

    public static void main(String[] arguments) throws IOException {
        System.setOut(System.err);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Agent agent = null;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            long received = System.nanoTime();
            String type = text(line, "type");
            if (type.equals("setup")) {
                agent = new Agent(text(line, "seat"));
                ANSWERS.println("{\"type\": \"ready\", \"name\": \"my agent\"}");
            } else if (type.equals("move") && agent != null) {
                String time = value(line, "time");
                // Without a time limit the referee says null: ten seconds will do.
                double seconds = time.isEmpty() || time.equals("null") ? 10 : Double.parseDouble(time);
                long deadline = received + (long) (seconds * 1e9);
                String move = agent.choose(text(line, "position"), texts(line, "legal"), deadline);
                ANSWERS.println("{\"type\": \"move\", \"move\": \"" + move + "\"}");
            }
            // Nothing is answered to the result of the game; the input then ends.
            ANSWERS.flush();
        }
    }

    // Just enough JSON for the referee's messages.

    /** The value of a key of an object, as it is written; empty if there is no such key. */
    private static String value(String object, String key) {
        int at = object.indexOf('{') + 1;
        while (true) {
            int name = skip(object, at, " ,");
            int afterName = end(object, name);
            int value = skip(object, afterName, " :");
            int afterValue = end(object, value);
            if (afterName == name || afterValue == value) {
                return "";
            }
            if (object.substring(name, afterName).equals("\"" + key + "\"")) {
                return object.substring(value, afterValue);
            }
            at = afterValue;
        }
    }

    /** The value of a key that is a text. (The referee's texts have nothing in them that would have to be unescaped.) */
    private static String text(String object, String key) {
        return value(object, key).replace("\"", "");
    }

    /** The value of a key that is a list of texts. */
    private static List<String> texts(String object, String key) {
        String list = value(object, key);
        List<String> found = new ArrayList<>();
        int at = skip(list, Math.min(1, list.length()), " ,");
        for (int after = end(list, at); after > at; after = end(list, at)) {
            found.add(list.substring(at, after).replace("\"", ""));
            at = skip(list, after, " ,");
        }
        return found;
    }

    /** Where the characters from `at` on are none of `these`. */
    private static int skip(String text, int at, String these) {
        while (at < text.length() && these.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    /** Where the value that begins at `at` ends. */
    private static int end(String text, int at) {
        int depth = 0;
        boolean quoted = false;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quoted) {
                if (c == '\\') {
                    at++;
                } else if (c == '"') {
                    quoted = false;
                }
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (depth > 0 && (c == '}' || c == ']')) {
                depth--;
            } else if (depth == 0 && " ,:]}".indexOf(c) >= 0) {
                break;
            }
        }
        return Math.min(at, text.length());
    }
}
