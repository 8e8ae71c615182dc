// Calls each group of operations through the client that openapi-generator makes for TypeScript.
import { readFileSync } from "node:fs";
import * as api from "./client";

const env = process.env as Record<string, string>;
// Without Accept, create and the like answer with the document itself.
const configuration = new api.Configuration({ basePath: env.EINVOICE_URL, accessToken: env.EINVOICE_KEY, headers: { Accept: "application/json" } });
const sample = (name: string) => new File([readFileSync(`${env.EINVOICE_SAMPLES}/${name}`)], name, { type: "application/xml" });
const bytes = (document: string) => Buffer.from(document, "base64");
function want(holds: boolean, what: string) {
  if (!holds) throw new Error(what);
}

async function main() {
  const validate = new api.ValidateApi(configuration);
  const result = await validate.validate({ format: api.Format.En16931, file: sample("cii-valid.xml") });
  want(result.valid, "the valid invoice is refused");
  await validate.validate({ format: api.Format.En16931, file: sample("cii-faulty.xml") }).then(
    () => want(false, "the faulty invoice is not refused"),
    async (e) => want(e.response.status === 400 && (await e.response.json()).errorCode === "VALIDATION-FAILED", String(e)),
  );
  const request = api.CreateInvoiceRequestFromJSON(JSON.parse(readFileSync(env.EINVOICE_REQUEST, "utf8")));
  const made = await new api.CreateApi(configuration).create({ format: api.MadeFormat.Facturx, createInvoiceRequest: request });
  const pdf = bytes(made.document);
  want(pdf.subarray(0, 4).toString() === "%PDF", "create makes no PDF");
  const converted = await new api.ConvertApi(configuration).convertCiiToUbl({ file: sample("cii-valid.xml") });
  want(converted.document.includes("Invoice"), "convert");
  const rendered = await new api.RenderApi(configuration).renderCii({ file: sample("cii-valid.xml"), language: api.Language.De });
  const pages = new File([bytes(rendered.document as unknown as string)], "pages.pdf", { type: "application/pdf" });
  const embedded = await new api.EmbedApi(configuration).embedXml({ pdf: pages, xml: sample("cii-valid.xml") });
  want(bytes(embedded.document).subarray(0, 4).toString() === "%PDF", "embed");
  const hybrid = new File([pdf], "made.pdf", { type: "application/pdf" });
  const invoice = (await new api.ExtractApi(configuration).extractJson({ file: hybrid })) as Record<string, unknown>;
  want(invoice.number === request.invoice!.number, "extract json");
  want((await (await new api.ExtractApi(configuration).extractXml({ file: hybrid })).text()).includes("CrossIndustryInvoice"), "extract xml");
  await new api.ParseApi(configuration).parseJson({ file: hybrid });
  want((await new api.RulesApi(configuration).getRule({ id: "BR-CO-10" })).id === "BR-CO-10", "rules");
  const jobs = new api.BulkApi(configuration);
  const archive = new File([readFileSync(env.EINVOICE_ARCHIVE)], "archive.tar");
  const ended = async (job: api.BulkJob) => {
    while (job.state === "working") {
      await new Promise((resolve) => setTimeout(resolve, 100));
      job = await jobs.getBulk({ id: job.id });
    }
    return job;
  };
  const sent = await ended(await jobs.submitBulk({ operation: api.SubmitBulkOperationEnum.Validate, file: archive }));
  const job = await ended(await jobs.submitBulk({ source: "samples", operation: api.SubmitBulkOperationEnum.Impact, old: "en16931", _new: "xrechnung" }));
  want(sent.state === "complete" && sent.documents === job.documents, JSON.stringify(sent));
  want(job.state === "complete" && job.documents > 0 && job.unreadable === 0, JSON.stringify(job));
  want((await jobs.reportBulk({ id: job.id })).changed! > 0, "bulk");
  want((await new api.OperationApi(configuration).ready()).status === "ready", "ready");
  console.log("typescript: validate, create, convert, render, embed, extract, parse, rules, bulk, operation");
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
