// The list of documents with their findings as a file: for a table program (CSV, XLSX), and as it is
// printed. It is loaded when it is wanted.

import writeXlsxFile from "write-excel-file/browser";
import type { Finding } from "./api.ts";
import { download, h } from "./dom.ts";
import { printed } from "./print.ts";
import { kindOf, type Open } from "./state.ts";
import { sentences, t, type Word } from "./words.ts";

const longestCell = 32_767; // characters, in XLSX
const widths = [30, 12, 18, 28, 12, 16, 18, 10, 8, 90]; // of the columns, in characters

const verdict = (d: Open) => t(kindOf(d));
const titles = () => [t("file"), t("result"), t("number"), t("seller"), t("issueDate"), t("amount"), t("rule"), t("level"), t("lineNumber"), t("message")];

/** A row for each finding; one for a document without any. */
function rows(documents: Open[]): string[][] {
  return documents.flatMap((d) => {
    const c = d.checked, name = [d.name, verdict(d)];
    if (!c || d.failure) return [[...name, "", "", "", "", "", "", "", d.failure]];
    const head = [...name, c.number, c.seller, c.issueDate, c.payable];
    if (c.problem && c.findings.length === 0) return [[...head, c.problem.code, "", c.problem.line ? String(c.problem.line) : "", sentences(c.problem.message, c.problem.remedy)]]; // with findings, it says that there are some
    const found = c.findings.map((f: Finding) => [...head, f.rule, t((f.level + "One") as Word), f.line ? String(f.line) : "", f.message]);
    if (c.omitted) found.push([...head, "", "", "", t("wordsOmitted", { n: c.omitted })]);
    return found.length ? found : [[...head, "", "", "", ""]];
  });
}

export function saveCSV(documents: Open[]): void {
  const cell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? "'" : "") + text.replace(/"/g, '""')}"`; // no text becomes a formula of a table
  download("findings.csv", "text/csv", "\ufeff" + [titles(), ...rows(documents)].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n");
}

/** Texts are texts there, so that none becomes a formula; lines are numbers and days are days. */
export async function saveXLSX(documents: Open[]): Promise<void> {
  const cell = (text: string, column: number) => {
    if (text && widths[column] === 8) return { type: Number, value: Number(text) };
    if (column === 4 && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return { type: Date, value: new Date(text), format: "yyyy-mm-dd" };
    return text ? { type: String, value: text.slice(0, longestCell), ...(column === 9 ? { wrap: true } : {}), alignVertical: "top" as const } : null;
  };
  const made = await writeXlsxFile([titles().map((value) => ({ value, type: String, fontWeight: "bold" as const })), ...rows(documents).map((row) => row.map(cell))],
    { sheet: t("findings"), columns: widths.map((width) => ({ width })), stickyRowsCount: 1 }).toBlob();
  download("findings.xlsx", made.type, made);
}

/** What is printed of the list: all documents in a table, then the report of each that is not valid or has findings. */
export function printedList(documents: Open[]): Node[] {
  const kinds = new Map<Word, number>();
  for (const d of documents) kinds.set(kindOf(d), (kinds.get(kindOf(d)) ?? 0) + 1);
  const columns = [t("file"), t("result"), t("number"), t("seller"), t("issueDate"), t("amount"), t("fatal")];
  return [
    h("h1", null, `${t("documents")} (${documents.length})`),
    h("p", { class: "printed-verdict" }, [...kinds].map(([kind, n]) => `${n} ${t(kind)}`).join(", ")),
    h("table", null, h("thead", null, h("tr", null, columns.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, documents.map((d) => h("tr", null, [d.name, verdict(d), d.checked?.number, d.checked?.seller, d.checked?.issueDate, d.checked?.payable, d.checked?.counts.fatal || ""].map((text) => h("td", null, h("bdi", null, text ?? "")))))),
    ),
    ...documents.filter((d) => d.failure || d.checked?.problem || d.checked?.findings.length).map((d) => h("section", { class: "printed-part" }, printed(d, d.checked?.findings ?? [], null, "h2"))),
  ];
}
