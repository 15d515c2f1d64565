// Statements that write forged rows of the ledger of merchant $1. A test chooses how well they fit together.

/** A hash that no entry has. */
export const zeros = '0'.repeat(64);
/** A change of the wallet row. */
export const set = (changes: string) => () => `update wallet set ${changes} where merchant_id = $1`;
/** An entry that follows the last one, with changes of some columns. Its defaults are a top-up of 5,000. */
export const entry =
  (changes: Readonly<Record<string, string>> = {}) =>
  () => {
    const columns = {
      entry_no: 'last_entry_no + 1',
      type: "'TOP_UP'",
      available_change: '5000',
      frozen_change: '0',
      available_before: 'available',
      available_after: 'available + 5000',
      frozen_before: 'frozen',
      frozen_after: 'frozen',
      order_no: 'null',
      booking_no: "'FORGED'",
      counter: "'external'",
      batch_no: 'last_batch_no + 1',
      ...changes,
    };
    return `insert into wallet_entry (merchant_id, created_at, ${Object.keys(columns).join(', ')})
      select merchant_id, now(), ${Object.values(columns).join(', ')} from wallet where merchant_id = $1`;
  };
/** A transfer that follows the last one. Its defaults are those of a top-up of 5,000. */
export const transfer =
  (changes: Readonly<Record<string, string>> = {}) =>
  () => {
    const columns = {
      transfer_no: 'last_transfer_no + 1',
      currency: 'currency',
      debit: "'external'",
      credit: "'available'",
      amount: '5000',
      cause: "'top_up'",
      order_no: 'null',
      batch_no: 'last_batch_no + 1',
      ...changes,
    };
    return `insert into transfer (merchant_id, created_at, ${Object.keys(columns).join(', ')})
      select merchant_id, now(), ${Object.values(columns).join(', ')} from wallet where merchant_id = $1`;
  };
const batchOf = (merchant: string) => `insert into ledger_batch (merchant_id, batch_no, at, rows, hash)
  select merchant_id, last_batch_no + 1, now(), '{}', '${zeros}' from wallet where merchant_id = ${merchant} on conflict do nothing`;
/** The next link of the ledger chain, unless it is there. */
export const batch = () => batchOf('$1');
/** The wallet counts one more link. */
export const oneBatch = `last_batch_no = last_batch_no + 1, last_batch_hash = '${zeros}', recorded_at = now()`;
/** The wallet counts one more audit record. */
export const oneRecord = 'last_audit_no = last_audit_no + 1';
/** The wallet counts one more entry, transfer and link. */
export const moved = `last_entry_no = last_entry_no + 1, last_transfer_no = last_transfer_no + 1, ${oneBatch}`;
/** A step that follows the last one of an order, with changes of some columns, as SQL. By default it only notes something. */
export const step = (orderNo: string, changes: Readonly<Record<string, string>> = {}) => {
  const columns = Object.entries({ seq: 't.seq + 1', from: 't."to"', batch_no: 'w.last_batch_no + 1', ...changes });
  const changed = columns.map(([column, value]) => `'${column}', ${value}`).join(', ');
  return `insert into order_transition select (jsonb_populate_record(t, jsonb_build_object(${changed}))).*
    from order_transition t join wallet w using (merchant_id) where t.merchant_id = $1 and t.order_no = '${orderNo}' order by t.seq desc limit 1`;
};
/** An audit record of the merchant that follows the last one, with the link that covers it. */
const recordOf = (merchant: string, approver: string, action: string, subject: string, detail: object) =>
  `with link as (${batchOf(merchant)})
    insert into audit_record (merchant_id, audit_no, actor, approver, action, subject, reason, detail, at, batch_no)
    select merchant_id, last_audit_no + 1, 'eve', ${approver}, '${action}', '${subject}', 'x', '${JSON.stringify(detail)}', now(), last_batch_no + 1
    from wallet where merchant_id = ${merchant}`;
export const record =
  (action: string, subject: string, detail: object = {}) =>
  () =>
    recordOf('$1', "'eva'", action, subject, detail);
/** An audit record of the platform. */
export const platformRecord = (action: string, subject = 'x', detail: object = {}) =>
  recordOf("'PLATFORM'", 'null', action, subject, detail);
/** As the ledger writer does: wallets count the records that are there, and the link that covers them. */
export const countRecords = `update wallet w set last_audit_no = a.last,
    last_batch_no = w.last_batch_no + (select count(*) from ledger_batch b where b.merchant_id = w.merchant_id and b.batch_no = w.last_batch_no + 1),
    last_batch_hash = coalesce((select b.hash from ledger_batch b where b.merchant_id = w.merchant_id and b.batch_no = w.last_batch_no + 1), w.last_batch_hash),
    recorded_at = coalesce((select b.at from ledger_batch b where b.merchant_id = w.merchant_id and b.batch_no = w.last_batch_no + 1), w.recorded_at)
  from (select merchant_id, max(audit_no) as last from audit_record group by 1) a where a.merchant_id = w.merchant_id and w.last_audit_no < a.last`;
