import type { EntityName, MikroORM } from '@mikro-orm/postgresql';
import type { ChainedOrder } from '../core/ledger-batch.ts';
import type { AuditRecord } from '../core/operator.ts';
import type { WalletEntry } from '../core/wallet.ts';
import { columnsAs, columnsOf } from '../database/columns.ts';
import { AuditRecordRow } from '../database/entities/access.ts';
import { LedgerBatchRow, MoneyCaseRow, TransferRow, WalletEntryRow } from '../database/entities/ledger.ts';
import { OrderRow, OrderTransition, PaymentRow } from '../database/entities/order.ts';
import { type ChainedTableName, chainedTableNames, chainedTables, type RowContent } from './chained-tables.ts';
import { positionRows, upTo } from './position.ts';

/** The statements that read a ledger: plain texts, so that a thread reads rows without the ORM. */
export interface LedgerSql {
  entries: string;
  decisions: string;
  links: string;
  rows: Readonly<Record<ChainedTableName, string>>;
}

const known = new WeakMap<MikroORM, LedgerSql>();

export function ledgerSqlOf(orm: MikroORM): LedgerSql {
  const sql = known.get(orm) ?? {
    entries: entriesSql(orm),
    decisions: decisionsSql,
    links: linksSql(orm),
    rows: Object.fromEntries(chainedTableNames.map((table) => [table, rowsSql(orm, table)])) as LedgerSql['rows'],
  };
  known.set(orm, sql);
  return sql;
}

const entities: Record<ChainedTableName, EntityName> = {
  orders: OrderRow,
  order_transition: OrderTransition,
  payment: PaymentRow,
  money_case: MoneyCaseRow,
  wallet_entry: WalletEntryRow,
  transfer: TransferRow,
  audit_record: AuditRecordRow,
};

/** The columns of wide tables that are hashed. Of the others all are read but the merchant, by which rows are found. */
const hashed: Partial<Record<ChainedTableName, ReadonlySet<string>>> = {
  orders: new Set<keyof (ChainedOrder & RowContent)>([
    ...(['orderNo', 'merchantOrderNo', 'kind', 'country', 'currency', 'mode', 'amount'] as const),
    ...(['feeAmount', 'netAmount', 'feeTerms', 'bankCode', 'notifyUrl', 'details', 'expiresAt', 'createdAt'] as const),
    'batchNo',
  ]),
};

/** An entry, for the rules of entries. The chain of links covers the rest of it. */
export type PagedEntry = Pick<WalletEntry, (typeof pagedColumns)[number]>;
const pagedColumns = [
  ...(['merchantId', 'entryNo', 'availableBefore', 'availableAfter', 'frozenBefore', 'frozenAfter'] as const),
  ...(['orderNo', 'batchNo'] as const),
] as const satisfies readonly (keyof WalletEntry)[];

/** A decision, for its number. */
export type PagedDecision = Pick<AuditRecord, 'merchantId' | 'auditNo' | 'batchNo'>;

/** Parameters: $1 positions, $2 the most entries of each merchant. */
const entriesSql = (
  orm: MikroORM,
): string => `select ${columnsAs(orm, WalletEntryRow, { only: new Set(pagedColumns), alias: 't', prefix: '' }).text}
  from json_to_recordset($1::json) as p("merchantId" text, "entryNo" bigint, "untilEntryNo" bigint) cross join lateral (
    select * from wallet_entry e where e.merchant_id = p."merchantId" and e.entry_no > p."entryNo" and e.entry_no <= ${upTo('Entry')}
    order by e.entry_no limit $2) t
  order by t.merchant_id, t.entry_no`;

const decisionsSql = `select t.merchant_id as "merchantId", t.audit_no::float8 as "auditNo", t.batch_no::float8 as "batchNo"
  from json_to_recordset($1::json) as p("merchantId" text, "auditNo" bigint, "untilAuditNo" bigint) cross join lateral (
    select * from audit_record a where a.merchant_id = p."merchantId" and a.audit_no > p."auditNo" and a.audit_no <= ${upTo('Audit')}
    order by a.audit_no limit $2) t
  order by t.merchant_id, t.audit_no`;

// The driver reads a JSON array in less time than an array of texts.
const linksSql = (orm: MikroORM): string => `select ${columnsOf(orm, LedgerBatchRow, ['rows'])}, to_json(t.rows) as rows
  from ${positionRows} cross join lateral (
    select * from ledger_batch b where b.merchant_id = p."merchantId" and b.batch_no > p."batchNo" and b.batch_no <= ${upTo('Batch')}
    order by b.batch_no limit $2) t
  order by t.merchant_id, t.batch_no`;

/** Parameters: lists of the merchants and of each part of the key. `place` is the place in these lists, from 1. */
function rowsSql(orm: MikroORM, table: ChainedTableName): string {
  const { key, types } = chainedTables[table];
  const as = { only: hashed[table], omitted: ['merchantId'], alias: 't', prefix: '' };
  const matches = key.map((column, i) => `s.${column} = k.c${i}`);
  return `select ${columnsAs(orm, entities[table], as).text}, k.place::integer as place
      from unnest($1::text[], ${types.map((type, i) => `$${i + 2}::${type}[]`).join(', ')})
        with ordinality as k(m, ${key.map((_, i) => `c${i}`).join(', ')}, place)
      cross join lateral (select * from ${table} s where s.merchant_id = k.m and ${matches.join(' and ')} offset 0) t`;
}
