# Installs the package for Node into a clean project: npm.sh PACKAGES WORK
set -eu
for tool in node npm; do command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 3; }; done
here=$(cd "$(dirname "$0")" && pwd)
cp "$here/run.mjs" "$2/" && cd "$2"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund "$1"/npm/einvoice-*.tgz typescript@5.9.3 >/dev/null
# The types are those of the package.
cat >typed.mts <<'END'
import { open, EinvoiceError } from "einvoice";
import type { Finding, Problem } from "einvoice";
const validator = await open({ milliseconds: 1000 });
const verdict = await validator.validate("<Invoice/>", { language: "de" });
const first: Finding | undefined = verdict.findings[0];
const made = await validator.create({ invoice: { number: "1" } }, "ubl");
const text: string = made.document;
const problem = (e: EinvoiceError): Problem => e.problem;
export const all = [verdict.valid, first?.rule, text, problem];
END
npx tsc --strict --noEmit --target es2022 --module nodenext --moduleResolution nodenext typed.mts
printf '#!/bin/sh\nexec node run.mjs\n' >run && chmod +x run
