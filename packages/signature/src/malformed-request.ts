/**
 * A body or query that the service answers with 40000 (decisions 1). `message` may be shown: it is short, and contains
 * at most `ECHO_LENGTH` characters of the input, all printable.
 */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}

const ECHO_LENGTH = 48;

/** Quotes `text` for a message: shortened, and with `?` for characters outside printable ASCII. */
export function quoted(text: string): string {
  const start = text.slice(0, ECHO_LENGTH).replace(/[^\x20-\x7e]/g, '?');
  return text.length > ECHO_LENGTH ? `"${start}..."` : `"${start}"`;
}
