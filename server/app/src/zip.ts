// The files of a ZIP, unpacked in the page by the browser's own decompression.

const mostUnpacked = 256 << 20; // bytes of all files together

const u16 = (v: DataView, at: number) => v.getUint16(at, true), u32 = (v: DataView, at: number) => v.getUint32(at, true);

/** Whether bytes begin as a ZIP does. */
export function isZip(bytes: Uint8Array): boolean { return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5); }

/** Unpacks the files whose names are wanted. What cannot be unpacked is told by name: encrypted, damaged, or too large. */
export async function unzip(data: Uint8Array<ArrayBuffer>, wanted: (name: string) => boolean, most: number): Promise<{ files: File[]; left: string[] }> {
  const v = new DataView(data.buffer, data.byteOffset, data.byteLength), files: File[] = [], left: string[] = [];
  let end = data.length - 22;
  while (end >= 0 && u32(v, end) !== 0x06054b50) end--;
  if (end < 0) throw new Error("no directory");
  let at = u32(v, end + 16), room = mostUnpacked;
  for (let n = u16(v, end + 10); n > 0 && at + 46 <= data.length && u32(v, at) === 0x02014b50; n--) {
    const flags = u16(v, at + 8), method = u16(v, at + 10), packed = u32(v, at + 20), nameLength = u16(v, at + 28);
    const name = new TextDecoder().decode(data.subarray(at + 46, at + 46 + nameLength)), local = u32(v, at + 42);
    at += 46 + nameLength + u16(v, at + 30) + u16(v, at + 32);
    if (name.endsWith("/")) continue;
    if (!wanted(name) || files.length === most) { left.push(name); continue; }
    try {
      const from = local + 30 + u16(v, local + 26) + u16(v, local + 28);
      if (flags & 1 || (method !== 0 && method !== 8) || from + packed > data.length) throw new Error(name);
      const bytes = await unpack(data.subarray(from, from + packed), method === 8, room);
      room -= bytes.size;
      files.push(new File([bytes], name));
    } catch { left.push(name); }
  }
  return { files, left };
}

async function unpack(data: Uint8Array<ArrayBuffer>, deflated: boolean, most: number): Promise<Blob> {
  if (!deflated) {
    if (data.length > most) throw new Error("too large");
    return new Blob([data]);
  }
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader(), parts: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    if ((size += value.length) > most) { await reader.cancel(); throw new Error("too large"); }
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
}
