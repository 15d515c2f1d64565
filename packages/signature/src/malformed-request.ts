/**
 * A body or query that decisions 1 answers with 40000. `message` is a short reason that is safe to show: it contains at
 * most `ECHO_LENGTH` printable characters of the input.
 */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}

const ECHO_LENGTH = 48;

/** `text` in quotes for a message: shortened, and characters outside printable ASCII as `?`. */
export function quoted(text: string): string {
  const start = text.slice(0, ECHO_LENGTH).replace(/[^\x20-\x7e]/g, '?');
  return text.length > ECHO_LENGTH ? `"${start}..."` : `"${start}"`;
}
