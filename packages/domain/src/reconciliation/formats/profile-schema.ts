import { boundedText, matchingText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import type { CsvProfile, StatementLineType } from '../statement.ts';

/** What a profile says. Its version is given when it is stored. */
export type CsvSettings = Omit<CsvProfile, 'version'>;

export const lineTypes = [
  'payin',
  'payout',
  'refund',
  'payout_return',
  'fee',
  'settlement',
  'adjustment',
  'unknown',
] as const satisfies readonly StatementLineType[];
export const encodings = ['utf-8', 'utf-16le', 'gbk', 'windows-1252', 'windows-874'] as const;

const name = boundedText(100).trim().min(1);
const words = z.array(name).max(100);
const direction = z.enum(['in', 'out']);

const columns = z.strictObject({
  date: name,
  time: name.optional(),
  gross: name.optional(),
  in: name.optional(),
  out: name.optional(),
  fee: name.optional(),
  tax: name.optional(),
  net: name.optional(),
  currency: name.optional(),
  type: name.optional(),
  direction: name.optional(),
  channelRef: name.optional(),
  orderNo: name.optional(),
  bankRef: name.optional(),
  settlementRef: name.optional(),
  balanceAfter: name.optional(),
  text: name.optional(),
});

/** The schema of a profile. `CsvProfile` describes each setting. */
export const csvSettings = z
  .strictObject({
    name: matchingText(50, /^[a-z0-9-]{1,50}$/, 'lower-case letters, digits and hyphens'),
    encoding: z.enum(encodings),
    delimiter: z.enum([',', ';', '\t', '|']),
    preambleRows: z.int().min(0).max(100),
    trailerRows: z.int().min(0).max(100),
    decimalSign: z.enum(['.', ',']),
    dateFormat: boundedText(40).refine(isDateFormat, 'a date has yyyy or yy, MM or MMM, and dd; hh needs a'),
    calendar: z.enum(['gregorian', 'buddhist']).optional(),
    columns,
    direction: z.discriminatedUnion('by', [
      z.strictObject({ by: z.literal('sign') }),
      z.strictObject({ by: z.literal('columns') }),
      z.strictObject({ by: z.literal('words'), in: words, out: words }),
      z.strictObject({ by: z.literal('type') }),
    ]),
    negative: z.enum(['out', 'reversal']).optional(),
    types: z
      .record(name, z.strictObject({ type: z.enum(lineTypes), direction: direction.optional() }))
      .refine((types) => Object.keys(types).length <= 100, 'at most 100 words'),
    status: z.strictObject({ column: name, money: words.min(1), none: words }).optional(),
  })
  .refine(({ direction: { by }, columns: { gross } }) => by === 'columns' || gross !== undefined, {
    path: ['columns', 'gross'],
    message: 'is needed, except with one column for each direction',
  })
  .refine(({ direction: { by }, columns }) => by !== 'columns' || columns.in !== undefined, {
    path: ['columns', 'in'],
    message: 'is needed with one column for each direction',
  })
  .refine(({ direction: { by }, columns }) => by !== 'columns' || columns.out !== undefined, {
    path: ['columns', 'out'],
    message: 'is needed with one column for each direction',
  })
  .refine(({ direction: { by }, columns }) => by !== 'words' || columns.direction !== undefined, {
    path: ['columns', 'direction'],
    message: 'is needed if its words say the direction',
  })
  .refine(({ direction: { by }, columns }) => by !== 'type' || columns.type !== undefined, {
    path: ['columns', 'type'],
    message: 'is needed if the type says the direction',
  })
  .refine(
    ({ direction: { by }, types }) => by !== 'type' || Object.values(types).every((one) => one.direction !== undefined),
    { path: ['types'], message: 'need a direction each, because the type says it' },
  )
  .refine(
    ({ status: { money, none } = { money: [], none: [] } }) =>
      new Set([...money, ...none].map(sameName)).size === money.length + none.length,
    { path: ['status', 'money'], message: 'has a word twice, or one that does not move money' },
  );

/** Reads the file of a profile. A version in it is ignored. Throws an Error that says which part is wrong. */
export function readCsvProfile(json: unknown): CsvSettings {
  const settings = typeof json === 'object' && json !== null ? withoutVersion(json) : json;
  const parsed = csvSettings.safeParse(settings);
  if (!parsed.success) throw new Error(`not a CSV profile: ${problemsOf(parsed.error)}`);
  return parsed.data as CsvSettings;
}

function problemsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('; ');
}

function withoutVersion({ version: _, ...settings }: { version?: unknown }): object {
  return settings;
}

/** Whether a format has day, month and year, each once. */
function isDateFormat(format: string): boolean {
  const found: string[] = format.match(/yyyy|yy|MMM|MM|dd|HH|hh|mm|ss|a/g) ?? [];
  const has = (...names: string[]) => found.filter((name) => names.includes(name)).length === 1;
  const isWhole = has('yyyy', 'yy') && has('MM', 'MMM') && has('dd') && new Set(found).size === found.length;
  return isWhole && found.includes('hh') === found.includes('a') && !(found.includes('hh') && found.includes('HH'));
}

/** Words and names of columns are compared without case and outer spaces. Within them a line break is a space. */
export function sameName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, ' ');
}
