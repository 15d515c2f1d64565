import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import type { Limits } from '../reading/limits.ts';
import type { TextLine } from '../reading/text.ts';

/** A field of a SWIFT message, for example `61`. Its lines are joined by line breaks. */
export interface Field {
  lineNo: number;
  tag: string;
  text: string;
}

/** A line after the beginning of block 4, if it has one. The blocks before are short. */
function withoutEnvelope(line: string): string {
  const block = line.startsWith('{') ? line.slice(0, 204).indexOf('{4:') : -1;
  return block === -1 ? line : line.slice(block + 3);
}

/** Lines of a header that some banks write before each message. */
const maxHeaderLines = 20;

/**
 * The fields of all messages of a file, with a field `end` after each message that has an end. Blocks of SWIFT's
 * envelope (`{1:…}{4:`) are left out.
 */
export async function* swiftFields(lines: AsyncIterable<TextLine>, limits: Limits): AsyncGenerator<Field> {
  let field: Field | null = null;
  let header = 0;
  for await (const { lineNo, text } of lines) {
    // Within a message it is what a payer wrote.
    const line: string = field === null ? withoutEnvelope(text) : text;
    const [, tag, value = ''] = /^:(\d\d[A-Z]?):(.*)$/.exec(line) ?? [];
    if (tag !== undefined) {
      if (field !== null) yield field;
      header = 0;
      field = { lineNo, tag, text: value };
    } else if (/^-\}?\s*$|^-\}\{/.test(text)) {
      if (field !== null) yield field;
      field = null;
      yield { lineNo, tag: 'end', text: '' };
    } else if (field !== null) {
      field.text += `\n${text}`;
      if (field.text.length > limits.rowLength)
        throw new StatementUnreadable('too_large', `longer than ${limits.rowLength} characters`, field.lineNo);
    } else if (text.trim() !== '') {
      header += 1;
      if (header > maxHeaderLines) throw new StatementUnreadable('other_format', 'this is not a SWIFT message', lineNo);
    }
  }
  if (field !== null) yield field;
}
