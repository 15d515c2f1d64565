import type { ProfileField } from './profile-values.ts';

/** A question about the files of a bank. */
export interface Question {
  readonly field: ProfileField;
  readonly label: string;
  readonly kind?: 'number' | 'lines' | 'types';
  /** Without an empty option a choice is required. */
  readonly options?: readonly { value: string; label: string }[];
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  /** In place of the help text of the operation. */
  readonly help?: string;
}

const option = (value: string, label: string) => ({ value, label });

/** The questions by heading (docs/operators/csv-profiles.md). */
export const questions: readonly { readonly title: string; readonly of: readonly Question[] }[] = [
  {
    title: 'The file',
    of: [
      { field: 'name', label: 'Name of the profile', isRequired: true, placeholder: 'my-bank' },
      {
        field: 'encoding',
        label: 'Letters',
        options: [
          option('UTF_8', 'UTF-8'),
          option('UTF_16LE', 'UTF-16'),
          option('GBK', 'GBK'),
          option('WINDOWS_1252', 'Windows-1252, Latin-1'),
          option('WINDOWS_874', 'Windows-874, TIS-620'),
        ],
      },
      {
        field: 'delimiter',
        label: 'Cells are separated by',
        options: [
          option('COMMA', 'comma'),
          option('SEMICOLON', 'semicolon'),
          option('TAB', 'tab'),
          option('BAR', 'vertical line'),
        ],
      },
      { field: 'preambleRows', label: 'Rows before the column names', kind: 'number', isRequired: true },
      { field: 'trailerRows', label: 'Rows after the last line', kind: 'number', isRequired: true },
    ],
  },
  {
    title: 'Amounts and dates',
    of: [
      {
        field: 'decimalSign',
        label: 'An amount is written',
        options: [option('POINT', '1,234.50'), option('COMMA', '1.234,50')],
      },
      { field: 'dateFormat', label: 'A date is written', isRequired: true, placeholder: 'dd/MM/yyyy HH:mm:ss' },
      {
        field: 'calendar',
        label: 'Era of its years',
        options: [option('', 'Gregorian'), option('BUDDHIST', 'Buddhist: 2569 is 2026')],
      },
      { field: 'dateColumn', label: 'Column of the date', isRequired: true },
      { field: 'timeColumn', label: 'Column of the time' },
      { field: 'feeColumn', label: 'Column of the fee' },
      { field: 'taxColumn', label: 'Column of the tax' },
      { field: 'netColumn', label: 'Column of the net amount' },
      { field: 'currencyColumn', label: 'Column of the currency' },
      { field: 'balanceColumn', label: 'Column of the balance' },
    ],
  },
  {
    title: 'Direction of the money',
    of: [
      {
        field: 'directionBy',
        label: 'The direction is shown by',
        options: [
          option('SIGN', 'the sign of the amount'),
          option('COLUMNS', 'two columns: money in, money out'),
          option('WORDS', 'words of a column'),
          option('TYPE', 'the type of the row'),
        ],
      },
      { field: 'grossColumn', label: 'Column of the amount' },
      { field: 'inColumn', label: 'Column of money in' },
      { field: 'outColumn', label: 'Column of money out' },
      { field: 'directionColumn', label: 'Column of the direction' },
      { field: 'inWords', label: 'Words for money in, one in each line', kind: 'lines' },
      { field: 'outWords', label: 'Words for money out, one in each line', kind: 'lines' },
      {
        field: 'negative',
        label: 'A minus means',
        options: [
          option('', 'nothing: such a row is set aside'),
          option('OUT', 'money that left'),
          option('REVERSAL', 'the other direction'),
        ],
      },
    ],
  },
  {
    title: 'References',
    of: [
      { field: 'channelRefColumn', label: "Column of the channel's reference" },
      { field: 'orderNoColumn', label: 'Column of our order number' },
      { field: 'bankRefColumn', label: "Column of the bank's reference" },
      { field: 'settlementRefColumn', label: "Column of the settlement's reference" },
      { field: 'textColumn', label: 'Column of a text with our order number' },
    ],
  },
  {
    title: 'Types',
    of: [
      { field: 'typeColumn', label: 'Column of the type' },
      {
        field: 'types',
        label: 'Words of the type column',
        kind: 'types',
        help: 'Rows with other words have the type unknown.',
      },
    ],
  },
  {
    title: 'Which rows are money',
    of: [
      { field: 'statusColumn', label: 'Column of the status' },
      { field: 'moneyWords', label: 'Words for money that moved, one in each line', kind: 'lines' },
      { field: 'otherWords', label: 'Words for money that did not move, one in each line', kind: 'lines' },
    ],
  },
];
