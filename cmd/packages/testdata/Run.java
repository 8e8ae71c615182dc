import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.einvoice.EinvoiceException;
import org.einvoice.Validator;

/** Answers each line of requests by the package. */
public class Run {
    public static void main(String[] args) throws Exception {
        ObjectMapper json = new ObjectMapper(JsonFactory.builder().streamReadConstraints(StreamReadConstraints.builder().maxStringLength(64 << 20).build()).build());
        Validator validator = new Validator(Duration.ofMinutes(10));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode r = json.readTree(line);
            byte[] document = r.has("path") ? Files.readAllBytes(Path.of(r.get("path").asText())) : r.path("text").asText().getBytes(StandardCharsets.UTF_8);
            Map<String, Object> answer;
            try {
                answer = switch (r.get("operation").asText()) {
                    case "validate" -> Map.of("result", validator.validate(document));
                    case "convert" -> Map.of("result", validator.convert(document, r.get("to").asText(), Map.of()));
                    default -> Map.of("result", validator.create(r.get("request"), r.get("to").asText(), Map.of()));
                };
            } catch (EinvoiceException e) {
                answer = Map.of("problem", e.problem());
            }
            out.print(json.writeValueAsString(answer) + "\n");
            out.flush();
        }
    }
}
