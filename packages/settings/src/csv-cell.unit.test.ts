import { expect, test } from 'vitest';
import { csvCell } from './csv-cell.ts';

test.each([
  ['a formula', '=1+1', "'=1+1"],
  ['one in full width', '＝HYPERLINK("http://evil.example/")', `"'＝HYPERLINK(""http://evil.example/"")"`],
  ['a plus in full width', '＋1+1', "'＋1+1"],
  ['one after a semicolon, at which Excel splits in many countries', 'A;=1+1', `"A;'=1+1"`],
  ['one after the end of a line', 'x\n=1+1', `"x\n'=1+1"`],
  ['one after a tab', 'x\t=1+1', `"x\t'=1+1"`],
  ['digits that a spreadsheet rounds', '123456789012345', "'123456789012345"],
  ['a leading zero', '007', "'007"],
  ['plain text', 'Lotus, Ltd', '"Lotus, Ltd"'],
])('a cell of CSV with %s', (_, text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test('a number stays one', () => {
  expect(csvCell('-12.50', true)).toBe('-12.50');
});
