import type { EntityName, MikroORM } from '@mikro-orm/postgresql';
import type { Transfer } from '../../core/ledger.ts';
import { type ChainedOrder, type LedgerBatch, namesOf, rowTexts } from '../../core/ledger-batch.ts';
import type { MoneyCase, Payment } from '../../core/payment.ts';
import type { Transition } from '../../core/transitions.ts';
import { columnsAs } from '../../database/columns.ts';
import { MoneyCaseRow, TransferRow } from '../../database/entities/ledger.ts';
import { OrderRow, OrderTransition, PaymentRow } from '../../database/entities/order.ts';
import { arrayText } from '../row-parameters.ts';
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

/** The columns of wide tables that are hashed. Of the others all are read but the merchant, by which rows are found. */
const hashed: Partial<Record<ChainedTableName, ReadonlySet<string>>> = {
  orders: new Set<keyof (ChainedOrder & RowContent)>([
    ...(['orderNo', 'merchantOrderNo', 'kind', 'country', 'currency', 'mode', 'amount'] as const),
    ...(['feeAmount', 'netAmount', 'feeTerms', 'bankCode', 'notifyUrl', 'details', 'expiresAt', 'createdAt'] as const),
    'batchNo',
  ]),
};

/** A row's name, as SQL. */
export function nameSql(table: ChainedTableName): string {
  const { letter, key } = chainedTables[table];
  return `concat_ws(':', '${letter}', ${key.map((column) => `t.${column}`).join(', ')})`;
}

/**
 * Reads rows of all these tables by their names. The contents are in the order of the names: undefined for a row that no
 * longer exists.
 */
export async function readRows(
  read: Read,
  orm: MikroORM,
  refs: readonly RowRef[],
): Promise<readonly (RowContent | undefined)[]> {
  const contents: (RowContent | undefined)[] = refs.map(() => undefined);
  const placesOf = Map.groupBy(refs.keys(), (place) => refs[place]?.name.slice(0, 2));
  for (const table of chainedTableNames) {
    const { letter, entity, key, types } = chainedTables[table];
    const places = placesOf.get(`${letter}:`) ?? [];
    if (places.length === 0) continue;
    const wanted = places.map((place) => refs[place] ?? noRow);
    const keys = wanted.map(({ name }) => keyOf(name, key.length));
    const columns = [wanted.map(({ merchantId }) => merchantId), ...key.map((_, part) => keys.map((one) => one[part]))];
    const values = columns.map((column) => arrayText(column, false));
    const matches = key.map((column, i) => `s.${column} = k.c${i}`);
    const as = { only: hashed[table], omitted: ['merchantId'], alias: 't', prefix: '' };
    const text = `select ${columnsAs(orm, entity, as).text}, k.place::integer as place
      from unnest($1::text[], ${types.map((type, i) => `$${i + 2}::${type}[]`).join(', ')})
        with ordinality as k(m, ${key.map((_, i) => `c${i}`).join(', ')}, place)
      cross join lateral (select * from ${table} s where s.merchant_id = k.m and ${matches.join(' and ')} offset 0) t`;
    for (const row of await read<AnyRow>(text, values)) {
      const place = places[row.place - 1];
      if (place !== undefined) contents[place] = { text: textOf(table, row), batchNo: row.batchNo };
    }
  }
  return contents;
}

/** A link of the ledger chain, with the names of the rows that it covers. */
export interface NamedLink extends LedgerBatch {
  readonly names: readonly string[];
}

export const withNames = (link: LedgerBatch): NamedLink => ({ ...link, names: namesOf(link) });

/** Reads the rows that these links cover: of each link in the order of its names. */
export async function readRowsOfLinks(
  read: Read,
  orm: MikroORM,
  links: readonly NamedLink[],
): Promise<Map<NamedLink, readonly (RowContent | undefined)[]>> {
  const refs = links.flatMap(({ merchantId, names }) => names.map((name) => ({ merchantId, name })));
  const contents = await readRows(read, orm, refs);
  let next = 0;
  return new Map(
    links.map((link) => {
      const first = next;
      next += link.names.length;
      return [link, contents.slice(first, next)];
    }),
  );
}

const noRow: RowRef = { merchantId: '', name: '' };

/** The key after the merchant. `p:PI1:a:b` has the parts `PI1` and `a:b`: only the last may have colons. */
function keyOf(name: string, parts: number): string[] {
  const colon = parts === 1 ? -1 : name.indexOf(':', 2);
  return colon === -1 ? [name.slice(2)] : [name.slice(2, colon), name.slice(colon + 1)];
}

type AnyRow = ChainedOrder & Transition & Payment & Transfer & { place: number };

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
