// The lines that a change of a text takes away and adds.

export interface Line { kind: "same" | "old" | "new"; text: string; at: number }

const mostCells = 4_000_000; // of the table of common lines; larger middles are shown whole
const around = 2; // lines before and after a change that are shown with it

/** Lines with their ends, so that a last line without one is another line. */
const linesOf = (text: string) => (text === "" ? [] : text.split(/(?<=\n)/));

/** All lines of two texts, the common ones once. A line is counted in the text that it is from. */
export function diff(before: string, after: string): Line[] {
  const a = linesOf(before), b = linesOf(after), least = Math.min(a.length, b.length);
  let head = 0, tail = 0;
  while (head < least && a[head] === b[head]) head++;
  while (tail < least - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const lines: Line[] = b.slice(0, head).map((text, i) => ({ kind: "same", text, at: i + 1 }));
  const rows = a.length - head - tail, columns = b.length - head - tail;
  const common = rows * columns <= mostCells ? commonFrom(a.slice(head, head + rows), b.slice(head, head + columns)) : null;
  let i = 0, j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && common && a[head + i] === b[head + j]) { lines.push({ kind: "same", text: b[head + j], at: head + j + 1 }); i++; j++; }
    else if (i < rows && (j === columns || !common || common[(i + 1) * (columns + 1) + j] >= common[i * (columns + 1) + j + 1])) { lines.push({ kind: "old", text: a[head + i], at: head + i + 1 }); i++; }
    else { lines.push({ kind: "new", text: b[head + j], at: head + j + 1 }); j++; }
  }
  for (let k = b.length - tail; k < b.length; k++) lines.push({ kind: "same", text: b[k], at: k + 1 });
  return lines;
}

/** How many lines two texts have in common from each pair of lines on. */
function commonFrom(a: string[], b: string[]): Uint32Array {
  const width = b.length + 1, common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1] + 1 : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
  }
  return common;
}

/** The changed lines in groups, with the lines around them. */
export function groupsOf(lines: Line[]): Line[][] {
  const shown = new Set<number>(), groups: Line[][] = [];
  lines.forEach((line, i) => { if (line.kind !== "same") for (let k = i - around; k <= i + around; k++) shown.add(k); });
  lines.forEach((line, i) => {
    if (!shown.has(i)) return;
    if (groups.length === 0 || !shown.has(i - 1)) groups.push([]);
    groups[groups.length - 1].push(line);
  });
  return groups;
}
