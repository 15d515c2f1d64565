import type { CsvProfile } from '@tidegate/domain/reconciliation';
import { z } from 'zod';
import { sameName } from './columns.ts';
import { isDateFormat } from './date-format.ts';

const name = z.string().trim().min(1).max(100);
const words = z.array(name).max(100);
const lineType = z.enum(['payin', 'payout', 'refund', 'payout_return', 'fee', 'settlement', 'adjustment', 'unknown']);
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
});

/** The schema of a `CsvProfile`, which describes each setting. */
const profile = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9-]{1,50}$/, 'lower-case letters, digits and hyphens'),
    version: z.int().min(1),
    encoding: z.enum(['utf-8', 'utf-16le', 'gbk', 'windows-1252']),
    delimiter: z.enum([',', ';', '\t', '|']),
    preambleRows: z.int().min(0).max(100),
    trailerRows: z.int().min(0).max(100),
    decimalSign: z.enum(['.', ',']),
    dateFormat: z.string().max(40).refine(isDateFormat, 'a date has yyyy or yy, MM or MMM, and dd; hh needs a'),
    columns,
    direction: z.discriminatedUnion('by', [
      z.strictObject({ by: z.literal('sign') }),
      z.strictObject({ by: z.literal('columns') }),
      z.strictObject({ by: z.literal('words'), in: words, out: words }),
      z.strictObject({ by: z.literal('type') }),
    ]),
    types: z.record(name, z.strictObject({ type: lineType, direction: direction.optional() })),
    status: z.strictObject({ column: name, money: words.min(1), none: words }).optional(),
  })
  .refine(({ direction: { by }, columns: { gross, in: incoming, out: outgoing } }) => {
    return by === 'columns' ? incoming !== undefined && outgoing !== undefined : gross !== undefined;
  }, 'columns.gross is needed, or columns.in and columns.out with direction by columns')
  .refine(
    ({ direction: { by }, columns: { direction: column } }) => by !== 'words' || column !== undefined,
    'direction by words needs columns.direction',
  )
  .refine(
    ({ direction: { by }, columns: { type }, types }) =>
      by !== 'type' || (type !== undefined && Object.values(types).every((one) => one.direction !== undefined)),
    'direction by type needs columns.type, and a direction of each type',
  )
  .refine(
    ({ status: { money, none } = { money: [], none: [] } }) =>
      new Set([...money, ...none].map(sameName)).size === money.length + none.length,
    'each status text may appear only once',
  );

/** Reads a profile from JSON. Throws an Error that says which part is wrong. */
export function readCsvProfile(json: unknown): CsvProfile {
  const parsed = profile.safeParse(json);
  if (!parsed.success) throw new Error(`not a CSV profile: ${z.prettifyError(parsed.error)}`);
  return parsed.data as CsvProfile;
}
