"""Calls each group of operations through the client that openapi-generator makes for Python."""

import base64
import os
import time

import openapi_client as api

configuration = api.Configuration(host=os.environ["EINVOICE_URL"], access_token=os.environ["EINVOICE_KEY"])
samples = os.environ["EINVOICE_SAMPLES"]


def sample(name):
    with open(os.path.join(samples, name), "rb") as f:
        return name, f.read()


with api.ApiClient(configuration) as client:
    result = api.ValidateApi(client).validate(api.Format.EN16931, sample("cii-valid.xml"))
    assert result.valid and result.report.profile == "EN 16931", result
    try:
        api.ValidateApi(client).validate(api.Format.EN16931, sample("cii-faulty.xml"))
        raise SystemExit("the faulty invoice is not refused")
    except api.ApiException as e:
        assert e.status == 400 and "VALIDATION-FAILED" in e.body, e

    request = api.CreateInvoiceRequest.from_json(open(os.environ["EINVOICE_REQUEST"]).read())
    made = api.CreateApi(client).create(api.MadeFormat.FACTURX, request)
    pdf = base64.b64decode(made.document)
    assert pdf.startswith(b"%PDF") and made.media_type == "application/pdf", made.media_type

    converted = api.ConvertApi(client).convert_cii_to_ubl(sample("cii-valid.xml"))
    assert "<Invoice" in converted.document and converted.file_name == "INV-2026-001.xml", converted.file_name

    rendered = api.RenderApi(client).render_cii(sample("cii-valid.xml"), language=api.Language.DE)
    pages = base64.b64decode(rendered.document)
    embedded = api.EmbedApi(client).embed_xml(("pages.pdf", pages), sample("cii-valid.xml"))
    assert base64.b64decode(embedded.document).startswith(b"%PDF")

    invoice = api.ExtractApi(client).extract_json(("made.pdf", pdf))
    assert invoice.number == request.invoice.number, invoice
    xml = api.ExtractApi(client).extract_xml(("made.pdf", pdf))
    assert b"CrossIndustryInvoice" in bytes(xml)
    parsed = api.ParseApi(client).parse_json(("made.pdf", pdf))
    assert parsed is not None

    card = api.RulesApi(client).get_rule("BR-CO-10")
    assert card.id == "BR-CO-10" and card.layer == api.Layer.EN16931, card
    jobs = api.BulkApi(client)
    with open(os.environ["EINVOICE_ARCHIVE"], "rb") as f:
        sent = jobs.submit_bulk(operation="validate", file=("archive.tar", f.read()))
    job = jobs.submit_bulk(source="samples", operation="impact", old="en16931", new="xrechnung")
    while job.state == "working":
        time.sleep(0.1)
        job = jobs.get_bulk(job.id)
    assert job.state == "complete" and job.documents > 0 and job.unreadable == 0, job
    assert jobs.report_bulk(job.id).changed > 0
    while sent.state == "working":
        time.sleep(0.1)
        sent = jobs.get_bulk(sent.id)
    assert sent.state == "complete" and sent.documents == job.documents, sent
    assert api.OperationApi(client).ready().status == "ready"
print("python: validate, create, convert, render, embed, extract, parse, rules, bulk, operation")
