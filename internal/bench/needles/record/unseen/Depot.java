import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Logs the events of events.jsonl with logback. */
public class Depot {
    static void count(String sku) {
        try {
            Integer.parseInt("-");
        } catch (NumberFormatException e) {
            throw new IllegalStateException("stock of " + sku + " cannot be counted", e);
        }
    }

    public static void main(String[] args) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        for (String line : Files.readAllLines(Path.of("events.jsonl"))) {
            JsonNode e = mapper.readTree(line);
            Logger log = LoggerFactory.getLogger("org.example.depot." + e.get("logger").asText());
            MDC.put("request", e.get("request").asText());
            String text = e.get("message").asText() + " " + e.get("fields");
            switch (e.get("level").asText()) {
                case "debug" -> log.debug(text);
                case "info" -> log.info(text);
                case "warn" -> log.warn(text);
                default -> {
                    if (text.startsWith("stock")) {
                        try {
                            count("88-104");
                        } catch (IllegalStateException x) {
                            log.error(text, x);
                        }
                    } else {
                        log.error(text);
                    }
                }
            }
        }
    }
}
