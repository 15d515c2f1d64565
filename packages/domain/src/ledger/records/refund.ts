import { type Command, namedRefund } from '../../core/commands.ts';
import type { Refund } from '../../core/refund.ts';
import { RefundRow, refundChanges } from '../../database/entities/ledger.ts';
import { type ColumnsOf, insert, selectList, update } from './queries.ts';
import { type Known, key, type LedgerRecord, readByKeys } from './record.ts';

function queries(columns: ColumnsOf) {
  const all = columns(RefundRow);
  return {
    refundsByNo: {
      name: 'refunds-by-no',
      text: `select ${selectList(all)} from refund t
        join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.refund_no = k.n`,
    },
    insertRefunds: insert('refund', all),
    updateRefunds: update<Refund>('refund', all, refundChanges),
  };
}

/** Refunds of cases through channels. */
export const refunds = {
  queries,
  async load({ client, sql }, commands) {
    const refs = commands.map(namedRefund).filter((found) => found !== null);
    const keys = [refs.map(({ merchantId }) => merchantId), refs.map(({ refundNo }) => refundNo)];
    const found = await readByKeys<Refund>(client, sql.refundsByNo, keys);
    return new Map(found.map((refund) => [key(refund.merchantId, refund.refundNo), refund]));
  },
  state: (known, command) => ({ refund: namedIn(known, command) }),
  keep(known, _, { state: { refund } }) {
    if (refund) known.set(key(refund.merchantId, refund.refundNo), refund);
  },
  added: { 'refund requested': ({ refund }) => refund },
  changed: { by: { 'refund changed': ({ refund }) => refund }, noOf: (row) => (row as Refund).refundNo },
} satisfies LedgerRecord<Refund, ReturnType<typeof queries>>;

function namedIn(known: Known<Refund>, command: Command): Refund | null {
  const named = namedRefund(command);
  return (named && known.get(key(named.merchantId, named.refundNo))) ?? null;
}
