import {
  type StatementFormat,
  type StatementLine,
  type StatementRow,
  StatementUnreadable,
} from '../reconciliation/statement.ts';

/** A format of tests: one JSON object in each line, a line or a summary, or an array of the parts of one row. What is no JSON cannot be read. */
export const jsonLines: StatementFormat = {
  name: 'json-lines',
  version: 3,
  recognises: (start) => start[0] === 0x7b,
  async *read(bytes) {
    let rest = '';
    let lineNo = 0;
    for await (const chunk of bytes) {
      const parts = (rest + Buffer.from(chunk).toString()).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) yield* rowsOf(part, ++lineNo);
    }
    if (rest !== '') throw new StatementUnreadable('damaged', 'the file ends within a row', lineNo + 1);
  },
};

function rowsOf(text: string, lineNo: number): StatementRow[] {
  try {
    const read = JSON.parse(text) as object;
    if ('opening' in read) return [{ kind: 'summary', summary: read as never }];
    const parts = (Array.isArray(read) ? read : [read]) as StatementLine[];
    return parts.map((line, part) => ({ kind: 'line', line: { ...line, lineNo, part } }));
  } catch {
    return [{ kind: 'unparsed', lineNo, reason: 'no JSON' }];
  }
}
