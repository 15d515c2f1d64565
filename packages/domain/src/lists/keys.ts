/** The position of a row in its list: the values of its sort columns, the most significant first. Times are Unix milliseconds. */
export type Key = readonly (string | number)[];

/** `day`: `YYYY-MM-DD`. */
export type Part = 'time' | 'number' | 'text' | 'decimal' | 'day';
type Columns = Readonly<Record<string, Part>>;

const ascending = <const Key extends Columns>(key: Key) => ({ direction: 'asc', key }) as const;
const descending = <const Key extends Columns>(key: Key) => ({ direction: 'desc', key }) as const;

/**
 * The sort columns of each list, the most significant first, and the direction. Together they are unique and never change.
 * A row has their values as properties: `merchant_id` is `merchantId`.
 */
export const lists = {
  approvals: descending({ asked_at: 'time', merchant_id: 'text', approval_id: 'text' }),
  audit_findings: descending({ found_at: 'time', merchant_id: 'text', finding_no: 'number' }),
  audit_records: descending({ at: 'time', merchant_id: 'text', audit_no: 'number' }),
  bank_mappings: ascending({ channel_id: 'text', kind: 'text', bank_code: 'text' }),
  breaks: descending({ opened_at: 'time', merchant_id: 'text', break_no: 'number' }),
  channels: ascending({ channel_id: 'text' }),
  configuration_history: descending({ version_no: 'number' }),
  exports: descending({ requested_at: 'time', export_id: 'text' }),
  fee_rules: ascending({ merchant_id: 'text', kind: 'text', bank_code: 'text', begins_at: 'time' }),
  merchant_keys: descending({ created_at: 'time', key_id: 'text' }),
  merchants: ascending({ merchant_id: 'text' }),
  money_cases: descending({ opened_at: 'time', merchant_id: 'text', case_no: 'number' }),
  money_cases_by_amount: descending({ amount: 'decimal', merchant_id: 'text', case_no: 'number' }),
  notes: descending({ note_no: 'number' }),
  notification_hosts: ascending({ merchant_id: 'text', host: 'text' }),
  notifications: descending({ created_at: 'time', merchant_id: 'text', order_no: 'text', status: 'text' }),
  operator_tokens: descending({ created_at: 'time', token_id: 'text' }),
  operators: ascending({ operator_id: 'text' }),
  orders: descending({ created_at: 'time', merchant_id: 'text', order_no: 'text' }),
  orders_by_amount: descending({ amount: 'decimal', created_at: 'time', merchant_id: 'text', order_no: 'text' }),
  orders_by_completion: descending({ completed_at: 'time', merchant_id: 'text', order_no: 'text' }),
  payments: descending({ order_no: 'text', seq: 'number' }),
  payout_tasks: ascending({ created_at: 'time', merchant_id: 'text', order_no: 'text' }),
  payout_tasks_by_amount: descending({ amount: 'decimal', merchant_id: 'text', order_no: 'text' }),
  routes: ascending({ route_no: 'number' }),
  service_keys: descending({ created_at: 'time', key_id: 'text' }),
  settlement_cycles: ascending({ merchant_id: 'text' }),
  settlement_files: descending({ created_at: 'time', merchant_id: 'text', file_no: 'text' }),
  settlements: descending({ drafted_at: 'time', merchant_id: 'text', seq: 'number' }),
  statement_lines: ascending({ line_no: 'number', part: 'number' }),
  statements: descending({ uploaded_at: 'time', merchant_id: 'text', file_no: 'number' }),
  stuck_payouts: ascending({ created_at: 'time', merchant_id: 'text', order_no: 'text' }),
  stuck_payouts_by_amount: descending({ amount: 'decimal', merchant_id: 'text', order_no: 'text' }),
  timeline: ascending({ at: 'time', rank: 'number', id: 'text' }),
  transfers: descending({ transfer_no: 'number' }),
  waiting_days: ascending({ day: 'day', merchant_id: 'text', channel_id: 'text' }),
  wallet_entries: descending({ entry_no: 'number' }),
};

export type ListName = keyof typeof lists;

/** Columns that keep an older name than their property. */
const renamedColumns = { asked_at: 'requestedAt' } as const;

type PropertyOf<Column extends string> = Column extends keyof typeof renamedColumns
  ? (typeof renamedColumns)[Column]
  : CamelCase<Column>;
type CamelCase<Column extends string> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Column;

/** A row that has the key of a list. */
export type KeyedRow<Name extends ListName> = {
  readonly [Column in keyof (typeof lists)[Name]['key'] & string as PropertyOf<Column>]: string | number;
};

/** The columns of a list's key, and what each holds. */
export function keyColumns(list: ListName): readonly (readonly [column: string, part: Part])[] {
  return columnsByList[list];
}

/** The key of a row in a list. */
export function keyOf<Name extends ListName>(list: Name, row: KeyedRow<Name>): Key {
  const values: { readonly [property: string]: string | number } = row;
  return propertiesByList[list].map((property) => values[property] as string | number);
}

const columnsByList = ofEachList((key): readonly [string, Part][] => Object.entries(key));
const propertiesByList = ofEachList((key) => Object.keys(key).map(propertyOf));

function ofEachList<Fact>(read: (key: Columns) => Fact): Record<ListName, Fact> {
  return Object.fromEntries(Object.entries(lists).map(([list, { key }]) => [list, read(key)])) as Record<
    ListName,
    Fact
  >;
}

function propertyOf(column: string): string {
  const renamed: { readonly [column: string]: string } = renamedColumns;
  return renamed[column] ?? column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
