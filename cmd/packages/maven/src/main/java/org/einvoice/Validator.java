package org.einvoice;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.einvoice.types.ConvertedDocument;
import org.einvoice.types.MadeDocument;
import org.einvoice.types.Problem;
import org.einvoice.types.ValidationResult;

/**
 * Validates, converts and creates invoices inside the process, one call after the other. What
 * takes longer than a call may, or dies, is thrown away, and the next call begins anew. A
 * program with many threads has a validator for each.
 */
public final class Validator {
    /** The stack of a call, in bytes. */
    private static final long STACK = 64L << 20;

    /** The module looks at the clock itself, and is ended this much later where it does not. */
    private static final long GRACE = 5000;

    /** The longest text of an answer, which has a document in it. */
    private static final int LONGEST = 64 << 20;

    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxStringLength(LONGEST).build()).build());

    private final long milliseconds;
    private Guest guest;

    /** A validator whose calls take a minute at most. */
    public Validator() {
        this(Duration.ofMinutes(1));
    }

    /** A validator whose calls take so long at most. */
    public Validator(Duration longest) {
        this.milliseconds = longest.toMillis();
    }

    /** Validates an invoice in XML. */
    public ValidationResult validate(byte[] document) {
        return validate(document, Map.of());
    }

    /** Validates an invoice in XML, with options such as language or format. */
    public ValidationResult validate(byte[] document, Map<String, ?> options) {
        return call(request("validate", options).put("document", document), ValidationResult.class);
    }

    /** Converts an invoice into "ubl" or "cii". */
    public ConvertedDocument convert(byte[] document, String to, Map<String, ?> options) {
        return call(request("convert", options).put("document", document).put("to", to), ConvertedDocument.class);
    }

    /** Creates a document ("ubl", "cii", "xrechnung") of a request, a CreateInvoiceRequest or what JSON makes one of. */
    public MadeDocument create(Object request, String to, Map<String, ?> options) {
        ObjectNode asked = request("create", options).put("to", to);
        asked.set("request", JSON.valueToTree(request));
        return call(asked, MadeDocument.class);
    }

    private ObjectNode request(String operation, Map<String, ?> options) {
        ObjectNode asked = JSON.createObjectNode().put("milliseconds", milliseconds);
        options.forEach((name, value) -> asked.set(name, JSON.valueToTree(value)));
        return asked.put("operation", operation);
    }

    private synchronized <T> T call(ObjectNode request, Class<T> type) {
        FutureTask<byte[]> task = new FutureTask<>(() -> {
            if (guest == null) {
                guest = new Guest();
            }
            return guest.call(JSON.writeValueAsBytes(request));
        });
        Thread thread = new Thread(null, task, "einvoice", STACK);
        thread.setDaemon(true);
        thread.start();
        try {
            JsonNode answer = JSON.readTree(task.get(request.get("milliseconds").asLong() + GRACE, TimeUnit.MILLISECONDS));
            if (answer.has("problem")) {
                throw new EinvoiceException(JSON.treeToValue(answer.get("problem"), Problem.class), null);
            }
            return JSON.treeToValue(answer.get("result"), type);
        } catch (TimeoutException e) {
            throw ended(thread, "VALIDATION-TIMEOUT", "The call took longer than it may and was ended.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ended(thread, "VALIDATION-TIMEOUT", "The thread was interrupted.", e);
        } catch (ExecutionException e) {
            throw ended(thread, "INTERNAL", "The module ended: " + e.getCause(), e.getCause());
        } catch (IOException e) {
            throw ended(thread, "INTERNAL", "The answer is not as it should be: " + e.getMessage(), e);
        }
    }

    private EinvoiceException ended(Thread thread, String code, String detail, Throwable cause) {
        thread.interrupt();
        guest = null;
        Problem problem = new Problem();
        problem.errorCode = code;
        problem.detail = detail;
        return new EinvoiceException(problem, cause);
    }
}
