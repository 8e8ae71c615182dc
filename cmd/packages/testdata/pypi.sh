# Installs the package for Python into a clean environment: pypi.sh PACKAGES WORK
set -eu
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 3; }
here=$(cd "$(dirname "$0")" && pwd)
cp "$here/run.py" "$2/" && cd "$2"
python3 -m venv venv
venv/bin/pip -q install "$1"/pypi/*.whl mypy==1.18.2
# The types are those of the package.
cat >typed.py <<'END'
from einvoice import EinvoiceError, Validator
from einvoice.types import Finding

verdict = Validator(milliseconds=1000).validate(b"<Invoice/>", language="de")
first: Finding = verdict["findings"][0]
valid: bool = verdict["valid"]
text: str = Validator().create({"invoice": {"number": "1"}}, "ubl")["document"]
everything = [valid, first["rule"], text, EinvoiceError]
END
venv/bin/mypy --no-error-summary typed.py
printf '#!/bin/sh\nexec venv/bin/python run.py\n' >run && chmod +x run
