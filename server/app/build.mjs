// Builds server/app/dist from server/app/src: one bundle for the page, one for its worker,
// one for the service worker. sources.txt names every source with its SHA-256, which a test
// compares, so that the bundle is never older than what it is made from.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
const common = { bundle: true, minify: true, target: "es2022", format: "esm", legalComments: "none", charset: "utf8", logLevel: "warning" };
const made = await build({ ...common, entryPoints: ["src/app.ts"], outfile: "dist/app.js", metafile: true });
await build({ ...common, entryPoints: ["src/app.css"], outfile: "dist/app.css" });
await build({ ...common, entryPoints: ["src/engine-worker.ts"], outfile: "dist/engine-worker.js", format: "iife" });
await build({ ...common, entryPoints: ["src/offline.ts"], outfile: "dist/offline.js", format: "iife" });
// The bundle is kept compressed: the program carries it, and browsers get it as it is.
writeFileSync("dist/app.js.br", brotliCompressSync(readFileSync("dist/app.js")));
rmSync("dist/app.js");
for (const file of ["index.html", "icon.svg"]) copyFileSync("src/" + file, "dist/" + file);

const sources = [...readdirSync("src").map((file) => "src/" + file), "build.mjs", "package.json", "package-lock.json", "tsconfig.json"].sort();
const sum = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
writeFileSync("sources.txt", sources.map((file) => `${sum(file)}  ${file}\n`).join(""));

// The licences of what is bundled, for the notices of the program.
const packages = new Set();
for (const input of Object.keys(made.metafile.inputs)) {
  const name = input.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1];
  if (name) packages.add(name);
}
let licences = "";
for (const name of [...packages].sort()) {
  const folder = "node_modules/" + name;
  const about = JSON.parse(readFileSync(folder + "/package.json", "utf8"));
  const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
  licences += `${name} ${about.version} (${about.license})\n\n${readFileSync(folder + "/" + file, "utf8").trim()}\n\n${"-".repeat(72)}\n\n`;
}
writeFileSync("licences.txt", licences);
