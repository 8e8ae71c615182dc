import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Calls each group of operations through the client that openapi-generator makes for Java. */
public class ClientTest {
    static File sample(String name) {
        return new File(System.getenv("EINVOICE_SAMPLES"), name);
    }

    static File file(String name, byte[] data) throws Exception {
        Path path = Files.createTempDirectory("client").resolve(name);
        return Files.write(path, data).toFile();
    }

    static BulkJob ended(BulkApi jobs, BulkJob job) throws Exception {
        while (job.getState() == BulkJob.StateEnum.WORKING) {
            Thread.sleep(100);
            job = jobs.getBulk(job.getId());
        }
        return job;
    }

    static void want(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("EINVOICE_URL"));
        client.setRequestInterceptor(r -> r.header("Authorization", "Bearer " + System.getenv("EINVOICE_KEY")));

        ValidateApi validate = new ValidateApi(client);
        want(validate.validate(Format.EN16931, sample("cii-valid.xml"), null, null, null, null).getValid() != null, "validate");
        try {
            validate.validate(Format.EN16931, sample("cii-faulty.xml"), null, null, null, null);
            want(false, "the faulty invoice is not refused");
        } catch (ApiException e) {
            want(e.getCode() == 400 && e.getResponseBody().contains("VALIDATION-FAILED"), e.getResponseBody());
        }
        CreateInvoiceRequest request = ApiClient.createDefaultObjectMapper().readValue(new File(System.getenv("EINVOICE_REQUEST")), CreateInvoiceRequest.class);
        MadeDocument made = new CreateApi(client).create(MadeFormat.FACTURX, request, null);
        byte[] pdf = Base64.getDecoder().decode(made.getDocument());
        want(new String(pdf, 0, 4).equals("%PDF"), "create");
        want(new ConvertApi(client).convertCiiToUbl(sample("cii-valid.xml"), null).getDocument().contains("Invoice"), "convert");
        byte[] pages = new RenderApi(client).renderCii(sample("cii-valid.xml"), null, Language.DE, null).getDocument();
        want(new EmbedApi(client).embedXml(file("pages.pdf", pages), sample("cii-valid.xml"), java.util.List.of(), null, null, null).getDocument() != null, "embed");
        File hybrid = file("made.pdf", pdf);
        want(new ExtractApi(client).extractJson(hybrid).toString().contains(request.getInvoice().getNumber()), "extract json");
        want(Files.readString(new ExtractApi(client).extractXml(hybrid).toPath()).contains("CrossIndustryInvoice"), "extract xml");
        want(new ParseApi(client).parseJson(hybrid, null) != null, "parse");
        want(new RulesApi(client).getRule("BR-CO-10", null, null).getId().equals("BR-CO-10"), "rules");
        BulkApi jobs = new BulkApi(client);
        BulkJob sent = ended(jobs, jobs.submitBulk(null, null, null, null, "validate", null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, new File(System.getenv("EINVOICE_ARCHIVE"))));
        BulkJob job = ended(jobs, jobs.submitBulk("samples", null, null, null, "impact", null, null, null, null, null, null, null, null, null, null, null, "en16931", "xrechnung", null, null, file("none", new byte[0])));
        want(sent.getState() == BulkJob.StateEnum.COMPLETE && sent.getDocuments().equals(job.getDocuments()), sent.toString());
        want(job.getState() == BulkJob.StateEnum.COMPLETE && job.getDocuments() > 0 && job.getUnreadable() == 0, job.toString());
        want(jobs.reportBulk(job.getId()).getChanged() > 0, "bulk");
        want(new OperationApi(client).ready() != null, "ready");
        System.out.println("java: validate, create, convert, render, embed, extract, parse, rules, bulk, operation");
    }
}
