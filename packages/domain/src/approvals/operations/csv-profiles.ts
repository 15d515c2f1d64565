import * as z from 'zod';
import {
  calendars,
  decimalSigns,
  delimiters,
  directionsBy,
  encodings,
  meaningsOfMinus,
  newestVersion,
  type StoredProfile,
  setCsvProfile as set,
} from '../../reconciliation/index.ts';
import { choice, count, line, matching, wordList } from '../input-schemas.ts';
import { onPlatform } from '../operation.ts';
import { always } from '../second-operator-rule.ts';

const column = (about: string) => line(about, 100, 'a column name of 1 to 100 characters, without line breaks');

const input = z.strictObject({
  name: matching(
    'Name of the profile. Its files are imported in the format csv:<name>.',
    /^[a-z0-9-]{1,50}$/,
    'a name of 1 to 50 lower-case letters, digits or hyphens',
  ),
  basedOn: count('Version that you changed; 0: it is a new profile. Default: the newest one.', [0, 999]).optional(),
  encoding: choice('Encoding of the file. windows-874 is also TIS-620.', encodings),
  delimiter: choice('What separates cells.', delimiters),
  preambleRows: count('How many rows can come before the column names.', [0, 100]),
  trailerRows: count('How many rows at the end are no lines, for example sums.', [0, 100]),
  decimalSign: choice('point for 1,234.50, comma for 1.234,50. The other sign groups digits.', decimalSigns),
  dateFormat: line(
    'How a date is written, for example dd/MM/yyyy HH:mm:ss.',
    40,
    'a date format of at most 40 characters',
  ),
  calendar: choice('Era of its years. Default: gregorian.', calendars).optional(),
  dateColumn: column('Column of the date.'),
  timeColumn: column('Column of the time, if it has its own. It is added to the date after a space.').optional(),
  grossColumn: column('Column of the amount. Not if there is one column for each direction.').optional(),
  inColumn: column('Column of amounts that came in.').optional(),
  outColumn: column('Column of amounts that left.').optional(),
  feeColumn: column('Column of the fee.').optional(),
  taxColumn: column('Column of the tax on the fee.').optional(),
  netColumn: column('Column of the net amount. It is compared with the amount, fee and tax.').optional(),
  currencyColumn: column('Column of the currency. Default: that of the country.').optional(),
  typeColumn: column('Column of the type.').optional(),
  directionColumn: column('Column with the words that say the direction.').optional(),
  channelRefColumn: column("Column of the channel's reference.").optional(),
  orderNoColumn: column('Column of our order number.').optional(),
  bankRefColumn: column("Column of the bank's reference.").optional(),
  settlementRefColumn: column('Column of the reference of a settlement.').optional(),
  balanceColumn: column('Column of the balance after the row. Then missing rows are noticed.').optional(),
  textColumn: column('Column of a free text in which our order number can be.').optional(),
  directionBy: choice(
    'Where the direction of the money comes from: the sign of the amount, two columns, words of a column, or the type.',
    directionsBy,
  ),
  inWords: wordList('Words for money that came in.').optional(),
  outWords: wordList('Words for money that left.').optional(),
  negative: choice(
    'What a minus means if the direction is stated in another way. out: amounts that left are written with it. reversal: it reverses the direction. Default: such a row is set aside.',
    meaningsOfMinus,
  ).optional(),
  types: wordList(
    'Words of the type column, such as "payment = payin", with the direction if the type says it: "payment = payin in". Other words are unknown.',
    150,
  ).optional(),
  statusColumn: column('Column that says whether money moved. Default: every row is money.').optional(),
  moneyWords: wordList('Words of that column for money that moved.').optional(),
  otherWords: wordList(
    'Words of that column for money that did not move. Rows with other words are set aside.',
  ).optional(),
});

export const setCsvProfile = onPlatform<typeof input, StoredProfile>({
  summary: 'Store a new version of a CSV profile. Files that were received keep theirs. Needs a second operator.',
  title: ({ basedOn = 0 }) => `Set version ${basedOn + 1} of the CSV profile`,
  roles: ['finance', 'admin'],
  input,
  subject: ({ name }) => `csv:${name}`,
  // A wrong profile would read money that did not move.
  needsSecond: always,
  // The second operator approves the change of this version. After another one the approval is refused.
  pin: async (given, _, domain) => ({ ...given, basedOn: given.basedOn ?? (await newestVersion(domain, given.name)) }),
  execute: ({ domain, by }, fields) => set(domain, fields, by),
});
