// Calls the package in ways that go wrong, and says how each ended. It does not close the last
// validator: a program ends without that.
import { open } from "./node.js";

const told = async (name, call) => {
  const begun = Date.now();
  let how;
  try { how = JSON.stringify(await call()); } catch (e) { how = e.code ?? String(e); }
  console.log(`${name}: ${how}${Date.now() - begun > 4000 ? " late" : ""}`);
};
const v = await open();
const bytes = new TextEncoder().encode("abcd");
await told("string", () => v.validate("a"));
await told("bytes", () => v.validate(bytes.subarray(1, 3)));
await told("buffer", () => v.validate(bytes.buffer));
await told("view", () => v.validate(new DataView(bytes.buffer, 2)));
for (const nothing of [undefined, null, 1, {}, []]) await told("nothing", () => v.validate(nothing).catch((e) => Promise.reject(e)));
for (const milliseconds of [undefined, null, 7, 0, -99999, 1e12, "x", NaN]) await told(`time ${milliseconds}`, () => v.validate("a", { milliseconds }));
await told("throws", () => v.validate("throw"));
await told("dies", () => v.validate("die"));
await told("after", () => v.validate("a"));
await told("function", () => v.create({ f() {} }, "ubl"));
const circle = {};
circle.circle = [circle];
for (const request of [circle, { invoice: 1n }, undefined, () => 1, { toJSON() { throw new Error("no"); } }]) await told("no JSON", () => v.create(request, "ubl"));
await told("options", () => v.validate("a", { operation: "create", document: "Yg==" }));
await told("last", () => v.validate("last"));
await new Promise((resolve) => { setTimeout(resolve, 300); });
await told("dead", () => v.validate("a"));
await told("again", () => v.validate("a"));
const w = await open();
const slow = told("closed meanwhile", () => w.validate("slow")), behind = told("closed behind", () => w.validate("a"));
setTimeout(() => w.close(), 200);
await Promise.all([slow, behind]);
await told("closed", () => w.validate("a"));
