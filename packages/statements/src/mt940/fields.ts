import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import type { Limits } from '../limits.ts';
import type { TextLine } from '../reading/text.ts';

/** A field of a SWIFT message, for example `61`. Its lines are joined by line breaks. */
export interface Field {
  lineNo: number;
  tag: string;
  text: string;
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
    const [, tag, value = ''] = /^(?:\{.{0,200}\{4:|\{4:)?:(\d\d[A-Z]?):(.*)$/.exec(text) ?? [];
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
      if (header > maxHeaderLines) throw new StatementUnreadable('other_format', 'this is no message of SWIFT', lineNo);
    }
  }
  if (field !== null) yield field;
}
