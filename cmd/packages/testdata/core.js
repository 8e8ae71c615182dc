// In place of the module: an answer that repeats the request, and faults that documents ask for.
export function serve(module, send) {
  return async ({ id, request }) => {
    const document = Buffer.from(request.document ?? "", "base64").toString();
    if (document === "die") process.exit(3);
    if (document === "throw") return send({ id, fault: "thrown" });
    await new Promise((resolve) => { setTimeout(resolve, document === "slow" ? 60000 : 10); });
    send({ id, answer: { result: { document, milliseconds: request.milliseconds } } });
    if (document === "last") process.exit(0);
  };
}
