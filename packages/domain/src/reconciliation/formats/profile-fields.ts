import { omitUndefined } from '../../core/omit-undefined.ts';
import { type CsvSettings, csvSettings, type lineTypes } from './profile-schema.ts';

// A profile as operators see and enter it: one field for each question. Signs have names, so that an approval can show them.

export const delimiters = ['comma', 'semicolon', 'tab', 'bar'] as const;
export const decimalSigns = ['point', 'comma'] as const;
export const directionsBy = ['sign', 'columns', 'words', 'type'] as const;
export const meaningsOfMinus = ['out', 'reversal'] as const;
export const calendars = ['gregorian', 'buddhist'] as const;

/** The columns of a profile, each with the field that names it. */
const columnFields = {
  date: 'dateColumn',
  time: 'timeColumn',
  gross: 'grossColumn',
  in: 'inColumn',
  out: 'outColumn',
  fee: 'feeColumn',
  tax: 'taxColumn',
  net: 'netColumn',
  currency: 'currencyColumn',
  type: 'typeColumn',
  direction: 'directionColumn',
  channelRef: 'channelRefColumn',
  orderNo: 'orderNoColumn',
  bankRef: 'bankRefColumn',
  settlementRef: 'settlementRefColumn',
  balanceAfter: 'balanceColumn',
  text: 'textColumn',
} as const satisfies Record<keyof CsvSettings['columns'], string>;
type ColumnField = (typeof columnFields)[keyof typeof columnFields];

export type ProfileFields = {
  name: string;
  encoding: CsvSettings['encoding'];
  delimiter: (typeof delimiters)[number];
  preambleRows: number;
  trailerRows: number;
  decimalSign: (typeof decimalSigns)[number];
  dateFormat: string;
  calendar?: (typeof calendars)[number] | undefined;
  directionBy: (typeof directionsBy)[number];
  inWords?: string[] | undefined;
  outWords?: string[] | undefined;
  negative?: (typeof meaningsOfMinus)[number] | undefined;
  /** `payment = payin`, or with the direction `payment = payin in`. */
  types?: string[] | undefined;
  statusColumn?: string | undefined;
  moneyWords?: string[] | undefined;
  otherWords?: string[] | undefined;
} & { [Field in ColumnField]?: string | undefined };

const delimiterSigns = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const;
const decimalSignOf = { point: '.', comma: ',' } as const;

/** A problem of a field, by its name. */
export interface FieldProblem {
  path: string;
  reason: string;
}

/** The settings that the fields say, or which of them are wrong. */
export function settingsOf(fields: ProfileFields): CsvSettings | FieldProblem[] {
  const types = new Map<string, object>();
  for (const [at, text] of (fields.types ?? []).entries()) {
    const { word, meaning } = typeOf(text);
    const [type, direction, ...more] = meaning;
    if (word === '' || type === undefined || more.length > 0)
      return [{ path: `types.${at}`, reason: 'must be like "payment = payin", or "payment = payin in"' }];
    if (types.has(word)) return [{ path: `types.${at}`, reason: 'has a word twice' }];
    types.set(word, omitUndefined({ type, direction }));
  }
  const columns = Object.entries(columnFields).map(([column, field]) => [column, fields[field]] as const);
  const { directionBy: by, inWords = [], outWords = [], statusColumn, moneyWords = [], otherWords = [] } = fields;
  const { name, encoding, preambleRows, trailerRows, dateFormat, calendar, negative } = fields;
  const read = csvSettings.safeParse(
    omitUndefined({
      name,
      encoding,
      preambleRows,
      trailerRows,
      dateFormat,
      calendar,
      negative,
      delimiter: delimiterSigns[fields.delimiter],
      decimalSign: decimalSignOf[fields.decimalSign],
      columns: Object.fromEntries(columns.filter(([, column]) => column !== undefined)),
      direction: by === 'words' ? { by, in: inWords, out: outWords } : { by },
      types: Object.fromEntries(types),
      status: statusColumn === undefined ? undefined : { column: statusColumn, money: moneyWords, none: otherWords },
    }),
  );
  if (read.success) return read.data as CsvSettings;
  return read.error.issues.map(({ path, message }) => ({ path: fieldAt(path.map(String)), reason: message }));
}

/** The parts of `payment = payin in`. A word may have an equals sign. */
function typeOf(text: string): { word: string; meaning: string[] } {
  const at = text.lastIndexOf('=');
  const meaning = text.slice(at + 1).split(' ');
  return { word: text.slice(0, Math.max(0, at)).trim(), meaning: meaning.filter((part) => part !== '') };
}

/** The field of a part of the settings: `columns.gross` is in `grossColumn`. */
function fieldAt([part = '', within = '']: readonly string[]): string {
  if (part === 'columns' && Object.hasOwn(columnFields, within))
    return columnFields[within as keyof typeof columnFields];
  const others: Record<string, string> = {
    'direction.in': 'inWords',
    'direction.out': 'outWords',
    'status.column': 'statusColumn',
    'status.money': 'moneyWords',
    'status.none': 'otherWords',
  };
  return others[`${part}.${within}`] ?? (part === 'direction' ? 'directionBy' : part);
}

/** The settings, field by field. */
export function fieldsOf(settings: CsvSettings): ProfileFields {
  const { name, encoding, preambleRows, trailerRows, dateFormat, calendar, negative, direction, status } = settings;
  const columns = Object.entries(columnFields) as [keyof typeof columnFields, ColumnField][];
  const isWords = direction.by === 'words';
  return omitUndefined({
    name,
    encoding,
    delimiter: keyOf(delimiterSigns, settings.delimiter),
    preambleRows,
    trailerRows,
    decimalSign: keyOf(decimalSignOf, settings.decimalSign),
    dateFormat,
    calendar,
    ...(Object.fromEntries(columns.map(([column, field]) => [field, settings.columns[column]])) as object),
    directionBy: direction.by,
    inWords: isWords ? [...direction.in] : undefined,
    outWords: isWords ? [...direction.out] : undefined,
    negative,
    types: typesOf(settings.types),
    statusColumn: status?.column,
    moneyWords: status && [...status.money],
    otherWords: status && status.none.length > 0 ? [...status.none] : undefined,
  }) as ProfileFields;
}

function typesOf(types: CsvSettings['types']): string[] | undefined {
  const texts = Object.entries(types).map(
    ([word, { type, direction }]: [string, { type: (typeof lineTypes)[number]; direction?: string }]) =>
      `${word} = ${type}${direction === undefined ? '' : ` ${direction}`}`,
  );
  return texts.length === 0 ? undefined : texts;
}

function keyOf<Key extends string>(signs: Readonly<Record<Key, string>>, sign: string): Key {
  const found = (Object.keys(signs) as Key[]).find((key) => signs[key] === sign);
  if (found === undefined) throw new Error('a sign without a name');
  return found;
}
