"""Answers each line of requests by the package."""
import json
import sys

from einvoice import EinvoiceError, Validator

validator = Validator()
for line in sys.stdin:
    r = json.loads(line)
    document = open(r["path"], "rb").read() if "path" in r else r.get("text", "")
    try:
        if r["operation"] == "validate":
            answer = {"result": validator.validate(document)}
        elif r["operation"] == "convert":
            answer = {"result": validator.convert(document, r["to"])}
        else:
            answer = {"result": validator.create(r["request"], r["to"])}
    except EinvoiceError as e:
        answer = {"problem": e.problem}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
