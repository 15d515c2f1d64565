/** A row of a chained table by its name (core/ledger-batch.ts). */
export interface RowRef {
  merchantId: string;
  name: string;
}

/** The current content of a row, as the chain hashes it, and the batch that it names. */
export interface RowContent {
  text: string;
  batchNo: number;
}

/** The tables whose rows enter the ledger chain, in the order in which the whole run reads them. */
export const chainedTables = {
  orders: { letter: 'o', key: ['order_no'], types: ['text'], start: [''] },
  order_transition: {
    letter: 's',
    key: ['order_no', 'seq'],
    types: ['text', 'integer'],
    start: ['', '-1'],
  },
  payment: {
    letter: 'p',
    key: ['order_no', 'seq'],
    types: ['text', 'integer'],
    start: ['', '-1'],
  },
  money_case: {
    letter: 'c',
    key: ['case_no'],
    types: ['bigint'],
    start: ['-1'],
  },
  wallet_entry: {
    letter: 'e',
    key: ['entry_no'],
    types: ['bigint'],
    start: ['-1'],
  },
  transfer: {
    letter: 't',
    key: ['transfer_no'],
    types: ['bigint'],
    start: ['-1'],
  },
  audit_record: {
    letter: 'a',
    key: ['audit_no'],
    types: ['bigint'],
    start: ['-1'],
  },
} as const satisfies Record<string, ChainedTable>;

export type ChainedTableName = keyof typeof chainedTables;
export const chainedTableNames = Object.keys(chainedTables) as ChainedTableName[];

interface ChainedTable {
  letter: string;
  /** The primary key after the merchant, its types, and values before the first. */
  key: readonly string[];
  types: readonly string[];
  start: readonly string[];
}

/** A row's name, as SQL. */
export function nameSql(table: ChainedTableName): string {
  const { letter, key } = chainedTables[table];
  return `concat_ws(':', '${letter}', ${key.map((column) => `t.${column}`).join(', ')})`;
}
