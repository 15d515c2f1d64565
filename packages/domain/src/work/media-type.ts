import { crc32 } from 'node:zlib';

/** The allowed types of files. */
export const mediaTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type MediaType = (typeof mediaTypes)[number];

/**
 * The type of a file by its content alone; null for anything else. The file has to be of its type from the first to the
 * last byte, so it cannot be of a second type too. Whether a document of the type is harmless is not checked.
 */
export function mediaTypeOf(content: Buffer): MediaType | null {
  if (isPng(content)) return 'image/png';
  if (isJpeg(content)) return 'image/jpeg';
  return isPdf(content) ? 'application/pdf' : null;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Chunks with right sums, IHDR first, and nothing after IEND. */
function isPng(content: Buffer): boolean {
  if (!content.subarray(0, 8).equals(pngSignature)) return false;
  for (let at = 8; at + 12 <= content.length; ) {
    const length = content.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > content.length) return false;
    const type = content.toString('latin1', at + 4, at + 8);
    if ((at === 8) !== (type === 'IHDR')) return false;
    if (crc32(content.subarray(at + 4, end - 4)) !== content.readUInt32BE(end - 4)) return false;
    if (type === 'IEND') return length === 0 && end === content.length;
    at = end;
  }
  return false;
}

/** Segments with their lengths, an image among them, and nothing after its end. */
function isJpeg(content: Buffer): boolean {
  if (content.length < 4 || content.readUInt16BE(0) !== 0xff_d8) return false;
  let hasImage = false;
  for (let at = 2; at + 2 <= content.length; ) {
    if (content[at] !== 0xff) return false;
    const marker = content[at + 1] ?? 0;
    if (marker === 0xd9) return hasImage && at + 2 === content.length;
    if (at + 4 > content.length) return false;
    const next = at + 2 + content.readUInt16BE(at + 2);
    // Start of scan: the image follows, up to the next marker.
    at = marker === 0xda ? endOfScan(content, next) : next;
    hasImage ||= marker === 0xda;
  }
  return false;
}

/** The place of the next marker: within an image, 0xff is followed by 0 or by the number of a restart. */
function endOfScan(content: Buffer, from: number): number {
  for (let at = content.indexOf(0xff, from); at !== -1; at = content.indexOf(0xff, at + 2)) {
    const marker = content[at + 1] ?? 0;
    if (marker !== 0 && (marker < 0xd0 || marker > 0xd7)) return at;
  }
  return content.length;
}

/** Begins with its version and ends with its end mark. An archive has its directory at its end. */
function isPdf(content: Buffer): boolean {
  if (!/^%PDF-[12]\.[0-9]/.test(content.toString('latin1', 0, 8))) return false;
  const isEnded = /startxref\s+[0-9]+\s+%%EOF\s{0,4}$/.test(content.toString('latin1', content.length - 64));
  return isEnded && !content.includes('PK\u0005\u0006', 0, 'latin1');
}
