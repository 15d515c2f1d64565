import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import type { Limits } from '../reading/limits.ts';
import type { TextLine } from '../reading/text.ts';

/**
 * A record with its continuations (88). Commas also separate the text at the end of a record 16, so it is in several
 * fields.
 */
export interface Bai2Record {
  lineNo: number;
  code: string;
  fields: string[];
  /** The number of lines: the record and its continuations. */
  physical: number;
}

/** The records of a file. A record ends at the end of its line, and may have `/` as its last character. */
export async function* bai2Records(lines: AsyncIterable<TextLine>, limits: Limits): AsyncGenerator<Bai2Record> {
  let record: Bai2Record | null = null;
  let length = 0;
  for await (const { lineNo, text } of lines) {
    const line = text.trim();
    if (line === '') continue;
    const [, code = '', rest = ''] = /^(01|02|03|16|49|88|98|99)(?:[,:](.*)|\/?)$/.exec(line) ?? [];
    if (code === '')
      throw new StatementUnreadable(record === null ? 'other_format' : 'damaged', 'this is not a BAI2 record', lineNo);
    const fields = (rest.endsWith('/') ? rest.slice(0, -1) : rest).split(',');
    if (code === '88') {
      if (record === null) throw new StatementUnreadable('other_format', 'a file begins with a record 01', lineNo);
      length += line.length;
      if (length > limits.rowLength)
        throw new StatementUnreadable('too_large', `longer than ${limits.rowLength} characters`, record.lineNo);
      for (const field of fields) record.fields.push(field);
      record.physical += 1;
    } else {
      if (record !== null) yield record;
      record = { lineNo, code, fields, physical: 1 };
      length = line.length;
    }
  }
  if (record !== null) yield record;
}
