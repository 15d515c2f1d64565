import { boundedText } from '@tidegate/settings/bounded-text';
import type pg from 'pg';
import * as z from 'zod';
import { UnreadableColumn } from '../boundary/read-column.ts';
import { readData } from '../boundary/read-json.ts';
import { channelModes } from '../core/environment.ts';
import type { FeeTerms } from '../core/fee.ts';
import type { MarketTask, OrderDetails } from '../core/order.ts';
import { type SettledDays, type SettledEntries, type SettlementSum, settlementKinds } from '../core/settlement.ts';

/** The longest text in a column: an object of a merchant has several. */
const text = boundedText(256 * 1_024);
const count = z.number();
const object = z.looseObject({});

const feeTerms: z.ZodType<FeeTerms> = z.object({
  percent: text,
  fixed: text,
  minimum: text.exactOptional(),
  maximum: text.exactOptional(),
  isRefundable: z.literal(true).exactOptional(),
});

const party = z.partialRecord(z.enum(['name', 'account', 'mobile', 'email', 'idNo', 'ifsc']), text);
const details: z.ZodType<OrderDetails> = z.object({
  party: party.exactOptional(),
  returnUrl: text.exactOptional(),
  remark: text.exactOptional(),
  extra: object.exactOptional(),
});

const proof = z.object({ reference: text, payer: text, note: text.nullable(), at: count });
const task: z.ZodType<MarketTask> = z.object({
  claimedBy: text,
  askedAt: count.exactOptional(),
  proof: proof.nullable(),
});

const sums: z.ZodType<readonly SettlementSum[]> = z.array(
  z.object({ kind: z.enum(settlementKinds), amount: text, count }),
);
const settledDays: z.ZodType<SettledDays> = z.record(text, text);
const settledEntries: z.ZodType<SettledEntries> = z.record(text, z.object({ day: text, entryNo: count }));

/** How far a walk of the audit has come in the ledger of a merchant. */
const place = z.looseObject({
  merchantId: text,
  entryNo: count,
  entryCount: count,
  available: text,
  frozen: text,
  transferNo: count,
  transferCount: count,
  availableSum: text,
  frozenSum: text,
  suspenseSum: text,
  auditNo: count,
  auditCount: count,
  batchNo: count,
  batchCount: count,
  batchHash: text,
});
const rows = z.object({
  table: text,
  after: z.object({ merchantId: text, key: z.array(text) }),
});
const seal = z.object({ merchantId: text, sealNo: count });
/** Where a run of the audit goes on: the check of new rows, the walk over the whole, or the sealing of months. */
const progress = z.union([
  z.object({ seenUntil: count }),
  z.discriminatedUnion('phase', [
    z.object({ phase: z.literal('orders'), after: z.object({ merchantId: text, orderNo: text }) }),
    z.object({ phase: z.literal('wallets'), after: text, positions: z.array(place) }),
    z.object({ phase: z.literal('rows'), rows }),
    z.object({ phase: z.literal('extend'), after: text, left: z.array(z.unknown()) }),
    z.object({ phase: z.literal('files'), after: seal }),
    z.object({ phase: z.literal('lists'), after: text }),
    z.object({
      phase: z.literal('verify'),
      quota: z.unknown(),
      rows: count,
      chosen: z.array(z.unknown()),
      walks: z.array(z.unknown()),
    }),
  ]),
]);
const walk = z.object({ sealNo: count, previous: text, from: place, at: place, tree: object });

const seen = z.object({ mode: z.enum(channelModes), adapter: text, baseUrl: text });

/**
 * The shape of every JSON column, by `table.column`. Keys that are not named here may be there: another release wrote
 * them. Inputs and answers are read once more where they are used, by the schema of their operation.
 */
export const jsonColumns: Readonly<Record<string, z.ZodType>> = {
  'approval.input': object,
  'audit_checkpoint.position': place,
  'audit_run.position': progress,
  'channel.credentials_set_at': z.record(text, text),
  'channel.seen': seen,
  'channel_question.answer': object,
  'csv_profile.profile': z.looseObject({ types: z.array(text).exactOptional() }),
  'data_export.input': object,
  'notification_resend.asked': object,
  'operator_preferences.columns': z.record(text, z.array(text)),
  'orders.details': details,
  'orders.fee_terms': feeTerms,
  'orders.task': task,
  'period_walk.walk': walk,
  'settlement.settled_before': settledDays,
  'settlement.settled_days': settledDays,
  'settlement.settled_entries': settledEntries,
  'settlement.sums': sums,
};

const jsonTypes: readonly number[] = [114, 3802];

/** Names the unreadable column of a row that a list shows no more. */
const unreadable = Symbol('unreadable column');

/** Whether all JSON columns of a row from a list have their shape. */
export function isReadable(row: object): boolean {
  return !(unreadable in row);
}

/** Receives a column of which a list leaves out rows. */
export type ReportUnreadable = (error: UnreadableColumn, rows: number) => void;

/** Judges the JSON columns in results of the database. Before it has learnt the tables it accepts everything. */
export interface ResultCheck {
  learn(pool: pg.Pool, report?: ReportUnreadable): Promise<void>;
  /** What is wrong with a result; null: nothing. */
  problemOf(result: unknown): UnreadableColumn | null;
  /** Marks the rows of a list that cannot be read, for `isReadable`, and reports them. The others are as they are. */
  markUnreadable(result: unknown): void;
}

/** One for all connections of a database. A column is known by the numbers that PostgreSQL states with each result. */
export function openResultCheck(): ResultCheck {
  let known = new Map<string, string>();
  let reportTo: ReportUnreadable = () => undefined;
  function* problemsOf({ fields = [], rows }: pg.QueryResult): Generator<{ row: object; problem: UnreadableColumn }> {
    for (const [index, { name, dataTypeID, tableID, columnID }] of fields.entries()) {
      if (!jsonTypes.includes(dataTypeID)) continue;
      const column = known.get(`${tableID}.${columnID}`);
      const schema = column === undefined ? undefined : jsonColumns[column];
      if (column === undefined || schema === undefined) continue;
      for (const row of rows) {
        const value = Array.isArray(row) ? row[index] : row[name];
        if (value === null) continue;
        const read = readData(value, schema);
        if (!read.ok) yield { row, problem: new UnreadableColumn(column, read.problem, read.where) };
      }
    }
  }
  const resultsOf = (result: unknown) => (Array.isArray(result) ? result : [result]) as pg.QueryResult[];
  return {
    async learn(pool, report = () => undefined) {
      const { rows } = await pool.query<{ key: string; column: string }>(jsonColumnsSql);
      known = new Map(rows.map(({ key, column }) => [key, column]));
      reportTo = report;
    },
    problemOf: (result) => {
      for (const one of resultsOf(result)) for (const { problem } of problemsOf(one)) return problem;
      return null;
    },
    markUnreadable: (result) => {
      const found = resultsOf(result).flatMap((one) => [...problemsOf(one)]);
      for (const { row, problem } of found) Object.assign(row, { [unreadable]: problem.message });
      const [first] = found;
      if (first) reportTo(first.problem, new Set(found.map(({ row }) => row)).size);
    },
  };
}

/** The JSON columns of this schema, also of a table's partitions, which statements may name. */
export const jsonColumnsSql = `select a.attrelid || '.' || a.attnum as key,
    coalesce(pg_partition_root(c.oid)::regclass::text, c.relname) || '.' || a.attname as column
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    and a.atttypid in ('json'::regtype, 'jsonb'::regtype)`;
