import type { FileRef } from '@tidegate/domain/operators';

/** Path for the download of a file. */
export function pathOfFile({ merchantId, subject, fileNo }: FileRef): string {
  return `/files?id=${Buffer.from(JSON.stringify([merchantId, fileNo, subject])).toString('base64url')}`;
}

/** What the id in such a path names; null for anything else. */
export function readFileId(id: string): FileRef | null {
  if (!/^[A-Za-z0-9_-]{1,400}$/.test(id)) return null;
  try {
    const read: unknown = JSON.parse(Buffer.from(id, 'base64url').toString());
    if (!Array.isArray(read) || read.length !== 3) return null;
    const [merchantId, fileNo, subject] = read;
    const isRight = typeof merchantId === 'string' && typeof subject === 'string' && Number.isSafeInteger(fileNo);
    return isRight ? { merchantId, subject, fileNo } : null;
  } catch {
    return null;
  }
}
