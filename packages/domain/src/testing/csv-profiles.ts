import type { ProfileFields } from '../reconciliation/formats/profile-fields.ts';

/** The profile of a bank whose files are like `aCsv`. */
export const aProfile: ProfileFields = {
  name: 'bank',
  encoding: 'utf-8',
  delimiter: 'semicolon',
  preambleRows: 1,
  trailerRows: 0,
  decimalSign: 'comma',
  dateFormat: 'dd.MM.yyyy',
  dateColumn: 'Date',
  grossColumn: 'Amount',
  bankRefColumn: 'Reference',
  typeColumn: 'Type',
  directionBy: 'sign',
  types: ['transfer = payin', 'charge = fee'],
};

/** A file of that bank. Each row: day, amount, reference, type. */
export function aCsv(
  rows: readonly (readonly [day: string, amount: string, reference: string, type: string])[],
): string {
  return `${['My Bank', 'Date;Amount;Reference;Type', ...rows.map((row) => row.join(';'))].join('\n')}\n`;
}
