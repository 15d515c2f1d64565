import { expect, test } from 'vitest';
import type { CsvProfilePartsFragment } from '../generated/documents.generated.ts';
import { counts, inputOf, usualValues, valuesOf } from './profile-values.ts';

const typed = {
  ...usualValues,
  name: ' bank ',
  preambleRows: '2',
  dateColumn: 'Date',
  grossColumn: 'Amount',
  typeColumn: 'Type',
  types: 'transfer = payin\n\n fee = fee ',
  feeColumn: '',
};

test('the input has what is typed: numbers as numbers, a line for each entry, and nothing for an empty field', () => {
  expect(inputOf(typed, 3)).toEqual({
    basedOn: 3,
    name: 'bank',
    encoding: 'UTF_8',
    delimiter: 'COMMA',
    preambleRows: 2,
    trailerRows: 0,
    decimalSign: 'POINT',
    directionBy: 'SIGN',
    dateColumn: 'Date',
    grossColumn: 'Amount',
    typeColumn: 'Type',
    types: ['transfer = payin', 'fee = fee'],
  });
});

test('a field that does not count is left out, and kept in the form', () => {
  const byColumns = { ...typed, directionBy: 'COLUMNS', inColumn: 'In', outColumn: 'Out' };
  expect(inputOf(byColumns, 0)).toMatchObject({ inColumn: 'In', outColumn: 'Out' });
  expect(inputOf(byColumns, 0)).not.toHaveProperty('grossColumn');
  expect(counts('types', { ...typed, typeColumn: ' ' })).toBe(false);
});

test('a stored version is shown as it was typed', () => {
  const { basedOn: _, ...input } = inputOf(typed, 0);
  const stored = {
    ...input,
    version: 1,
    format: 'csv:bank',
    createdBy: 'a',
    approvedBy: 'b',
    createdAt: '',
    feeColumn: null,
  };
  const values = valuesOf({ __typename: 'CsvProfile', ...stored } as unknown as CsvProfilePartsFragment);
  expect(inputOf(values, 0)).toEqual({ basedOn: 0, ...input });
  expect(Object.keys(values)).not.toContain('version');
});
