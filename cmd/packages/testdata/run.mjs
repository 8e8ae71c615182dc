// Answers each line of requests by the package.
import { open } from "einvoice";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const validator = await open();
for await (const line of createInterface({ input: process.stdin })) {
  const r = JSON.parse(line);
  const document = r.path ? readFileSync(r.path) : r.text;
  let answer;
  try {
    if (r.operation === "validate") answer = { result: await validator.validate(document) };
    else if (r.operation === "convert") answer = { result: await validator.convert(document, r.to) };
    else answer = { result: await validator.create(r.request, r.to) };
  } catch (e) {
    answer = { problem: e.problem ?? { errorCode: String(e) } };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
validator.close();
