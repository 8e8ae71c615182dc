// Builds server/app/dist from server/app/src: the page in parts, the first of which loads the
// others when they are needed; one bundle for its worker, one for the service worker. sources.txt
// names every source with its SHA-256, which a test compares, so that the bundle is never older
// than what it is made from.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
const common = { bundle: true, minify: true, target: "es2022", legalComments: "none", charset: "utf8", logLevel: "warning" };
const made = await build({ ...common, format: "esm", splitting: true, entryPoints: ["src/app.ts"], outdir: "dist", chunkNames: "part-[hash]", metafile: true });
await build({ ...common, entryPoints: ["src/app.css"], outfile: "dist/app.css" });
const parts = Object.keys(made.metafile.outputs).map((file) => file.slice("dist/".length)).sort();
await build({ ...common, entryPoints: ["src/engine-worker.ts"], outfile: "dist/engine-worker.js", format: "iife" });
await build({ ...common, entryPoints: ["src/offline.ts"], outfile: "dist/offline.js", format: "iife", define: { parts: JSON.stringify(parts) } });
// The parts and the style are kept compressed: the program carries them, and browsers get them as they are.
for (const part of [...parts, "app.css"]) {
  writeFileSync(`dist/${part}.br`, brotliCompressSync(readFileSync("dist/" + part)));
  rmSync("dist/" + part);
}
// What the first part imports is asked for together with it.
const first = made.metafile.outputs["dist/app.js"].imports.filter((i) => i.kind === "import-statement").map((i) => i.path.slice("dist/".length));
const links = first.map((part) => `<link rel="modulepreload" href="/app/${part}">\n`).join("");
writeFileSync("dist/index.html", readFileSync("src/index.html", "utf8").replace('<script type="module"', links + '<script type="module"'));
copyFileSync("src/icon.svg", "dist/icon.svg");

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
