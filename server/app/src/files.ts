// Which of the files that somebody gives are documents.

import { isZip, unzip } from "./zip.ts";
import { t } from "./words.ts";

const opens = (name: string) => /\.(xml|pdf|json|png|jpe?g|tiff?)$/i.test(name);

/** The documents among files, those in ZIPs included, and the names of what is none. */
export async function unpacked(files: File[], most: number, wanted = opens): Promise<{ taken: File[]; left: string[]; damaged: string }> {
  const taken: File[] = [], left: string[] = [];
  for (const file of files) {
    const begin = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    if (isZip(begin)) {
      try {
        const found = await unzip(new Uint8Array(await file.arrayBuffer()), wanted, most - taken.length);
        taken.push(...found.files);
        left.push(...found.left);
      } catch { if (files.length === 1) return { taken, left, damaged: file.name }; left.push(file.name); }
    } else if ((wanted(file.name) || files.length === 1) && taken.length < most) taken.push(file);
    else left.push(file.webkitRelativePath || file.name);
  }
  return { taken, left, damaged: "" };
}

/** Says which files were not opened, by name. */
export function named(left: string[]): string {
  const few = 5, names = left.slice(0, few).join(", ");
  return t("notOpened", { names: left.length > few ? `${names} ${t("andMore", { n: left.length - few })}` : names });
}
