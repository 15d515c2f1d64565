import type { EntityName, MikroORM } from '@mikro-orm/postgresql';
import type { Transfer } from '../../core/ledger.ts';
import { type ChainedOrder, rowTexts } from '../../core/ledger-batch.ts';
import type { MoneyCase, Payment } from '../../core/payment.ts';
import type { Transition } from '../../core/transitions.ts';
import { columnsAs } from '../../database/columns.ts';
import { MoneyCaseRow, TransferRow } from '../../database/entities/ledger.ts';
import { OrderRow, OrderTransition, PaymentRow } from '../../database/entities/order.ts';
import type { Read } from './snapshot.ts';

/** A row of a chained table by its name (core/ledger-batch.ts). */
export interface RowRef {
  merchantId: string;
  name: string;
}

/** The current content of a row, as the chain hashes it, and the batch that it names. */
export interface RowContent {
  text: string;
  batchNo: number | null;
}

/** The tables whose rows enter the ledger chain, in the order in which the whole run reads them. */
export const chainedTables = {
  orders: { letter: 'o', entity: OrderRow, key: ['order_no'], types: ['text'], start: [''], at: 'created_at' },
  order_transition: {
    letter: 's',
    entity: OrderTransition,
    key: ['order_no', 'seq'],
    types: ['text', 'integer'],
    start: ['', '-1'],
    at: 'at',
  },
  payment: {
    letter: 'p',
    entity: PaymentRow,
    key: ['order_no', 'reference'],
    types: ['text', 'text'],
    start: ['', ''],
    at: 'received_at',
  },
  money_case: {
    letter: 'c',
    entity: MoneyCaseRow,
    key: ['case_no'],
    types: ['bigint'],
    start: ['-1'],
    at: 'opened_at',
  },
  transfer: {
    letter: 't',
    entity: TransferRow,
    key: ['transfer_no'],
    types: ['bigint'],
    start: ['-1'],
    at: 'created_at',
  },
} as const satisfies Record<string, ChainedTable>;

export type ChainedTableName = keyof typeof chainedTables;
export const chainedTableNames = Object.keys(chainedTables) as ChainedTableName[];

interface ChainedTable {
  letter: string;
  entity: EntityName;
  /** The primary key after the merchant, its types, and values before the first. */
  key: readonly string[];
  types: readonly string[];
  start: readonly string[];
  at: string;
}

/** The columns of wide tables that are hashed. Of the others all are read. */
const hashed: Partial<Record<ChainedTableName, ReadonlySet<string>>> = {
  orders: new Set<keyof (ChainedOrder & RowContent)>([
    ...(['merchantId', 'orderNo', 'merchantOrderNo', 'kind', 'country', 'currency', 'mode', 'amount'] as const),
    ...(['feeAmount', 'netAmount', 'feeTerms', 'bankCode', 'notifyUrl', 'details', 'expiresAt', 'createdAt'] as const),
    'batchNo',
  ]),
};

/** A row's name, as SQL. */
export function nameSql(table: ChainedTableName): string {
  const { letter, key } = chainedTables[table];
  return `concat_ws(':', '${letter}', ${key.map((column) => `t.${column}`).join(', ')})`;
}

const keyOf = ({ merchantId, name }: RowRef): string => `${merchantId} ${name}`;

/** Reads rows of all these tables by their names; rows that no longer exist are missing from the answer. */
export async function readRows(read: Read, orm: MikroORM, refs: readonly RowRef[]) {
  const contents = new Map<string, RowContent>();
  for (const table of chainedTableNames) {
    const wanted = refs.filter(({ name }) => name.startsWith(`${chainedTables[table].letter}:`));
    if (wanted.length === 0) continue;
    const { key, types } = chainedTables[table];
    const values = [
      wanted.map(({ merchantId }) => merchantId),
      ...key.map((_, i) => wanted.map(({ name }) => partOf(name, i, key.length))),
    ];
    const matches = key.map((column, i) => `s.${column} = k.c${i}`);
    const { text: columns } = columnsAs(orm, chainedTables[table].entity, {
      only: hashed[table],
      alias: 't',
      prefix: '',
    });
    const text = `select ${columns}, ${nameSql(table)} as "rowName"
      from unnest($1::text[], ${types.map((type, i) => `$${i + 2}::${type}[]`).join(', ')}) as k(m, ${key.map((_, i) => `c${i}`).join(', ')})
      cross join lateral (select * from ${table} s where s.merchant_id = k.m and ${matches.join(' and ')} offset 0) t`;
    for (const row of await read<AnyRow>(text, values))
      contents.set(keyOf({ merchantId: row.merchantId, name: row.rowName }), {
        text: textOf(table, row),
        batchNo: row.batchNo,
      });
  }
  return (ref: RowRef): RowContent | undefined => contents.get(keyOf(ref));
}

/** `p:PI1:a:b` has the parts `PI1` and `a:b`: only the last may have colons. */
function partOf(name: string, part: number, parts: number): string {
  const pieces = name.split(':').slice(1);
  return part === parts - 1 ? pieces.slice(part).join(':') : (pieces[part] ?? '');
}

type AnyRow = ChainedOrder & Transition & Payment & Transfer & { rowName: string };

function textOf(table: ChainedTableName, row: AnyRow): string {
  switch (table) {
    case 'orders':
      return rowTexts.orders(row);
    case 'order_transition':
      return rowTexts.transitions(row);
    case 'payment':
      return rowTexts.payments(row);
    case 'money_case':
      return rowTexts.cases(row as object as MoneyCase);
    case 'transfer':
      return rowTexts.transfers(row);
    default:
      return table satisfies never;
  }
}
