"""Calls each group of operations through the client that openapi-python-client makes."""

import base64
import io
import json
import os
import time

from einvoice_client import AuthenticatedClient
from einvoice_client import models
from einvoice_client.api.bulk import get_bulk, report_bulk, submit_bulk
from einvoice_client.api.convert import convert_cii_to_ubl
from einvoice_client.api.create import create
from einvoice_client.api.embed import embed_xml
from einvoice_client.api.extract import extract_json, extract_xml
from einvoice_client.api.operation import ready
from einvoice_client.api.parse import parse_json
from einvoice_client.api.render import render_cii
from einvoice_client.api.rules import get_rule
from einvoice_client.api.validate import validate
from einvoice_client.types import File

client = AuthenticatedClient(base_url=os.environ["EINVOICE_URL"], token=os.environ["EINVOICE_KEY"], headers={"Accept": "application/json"})
samples = os.environ["EINVOICE_SAMPLES"]


def sample(name):
    with open(os.path.join(samples, name), "rb") as f:
        return File(payload=io.BytesIO(f.read()), file_name=name)


result = validate.sync(models.Format.EN16931, client=client, body=models.ValidateBody(file=sample("cii-valid.xml")))
assert isinstance(result, models.ValidationResult) and result.valid, result
refused = validate.sync(models.Format.EN16931, client=client, body=models.ValidateBody(file=sample("cii-faulty.xml")))
assert isinstance(refused, models.ValidationProblem) and refused.findings, refused

request = models.CreateInvoiceRequest.from_dict(json.load(open(os.environ["EINVOICE_REQUEST"])))
made = create.sync(models.MadeFormat.FACTURX, client=client, body=request)
pdf = base64.b64decode(made.document)
assert pdf.startswith(b"%PDF")
converted = convert_cii_to_ubl.sync(client=client, body=models.ConvertCiiToUblBody(file=sample("cii-valid.xml")))
assert "Invoice" in converted.document
rendered = render_cii.sync(client=client, body=models.RenderCiiBody(file=sample("cii-valid.xml")))
pages = File(payload=io.BytesIO(base64.b64decode(rendered.document)), file_name="pages.pdf")
embedded = embed_xml.sync(client=client, body=models.EmbedXmlBody(pdf=pages, xml=sample("cii-valid.xml")))
assert base64.b64decode(embedded.document).startswith(b"%PDF")
invoice = extract_json.sync(client=client, body=models.ExtractJsonBody(file=File(payload=io.BytesIO(pdf), file_name="made.pdf")))
assert invoice.number == request.invoice.number, invoice
xml = extract_xml.sync_detailed(client=client, body=models.ExtractXmlBody(file=File(payload=io.BytesIO(pdf), file_name="made.pdf")))
assert b"CrossIndustryInvoice" in xml.content
assert parse_json.sync(client=client, body=models.ParseJsonBody(file=File(payload=io.BytesIO(pdf), file_name="made.pdf"))) is not None
assert get_rule.sync("BR-CO-10", client=client).id == "BR-CO-10"
with open(os.environ["EINVOICE_ARCHIVE"], "rb") as f:
    sent = submit_bulk.sync(client=client, body=models.SubmitBulkBody(file=File(payload=f, file_name="archive.tar")), operation=models.SubmitBulkOperation.VALIDATE)
job = submit_bulk.sync(client=client, source="samples", operation=models.SubmitBulkOperation.IMPACT, old="en16931", new="xrechnung")
while job.state == models.BulkJobState.WORKING:
    time.sleep(0.1)
    job = get_bulk.sync(job.id, client=client)
assert job.state == models.BulkJobState.COMPLETE and job.documents > 0 and job.unreadable == 0, job
while sent.state == models.BulkJobState.WORKING:
    time.sleep(0.1)
    sent = get_bulk.sync(sent.id, client=client)
assert sent.state == models.BulkJobState.COMPLETE and sent.documents == job.documents, sent
assert report_bulk.sync(job.id, client=client).changed > 0
assert ready.sync(client=client).status == "ready"
print("openapi-python-client: validate, create, convert, render, embed, extract, parse, rules, bulk, operation")
