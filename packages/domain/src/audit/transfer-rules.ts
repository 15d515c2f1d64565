import type { TransferCause } from '../core/ledger.ts';
import { movementsOfNoOrder } from './movements-rule.ts';
import { upTo } from './position.ts';
import type { Rules } from './violation.ts';

type Difference = 'variance' | 'written_off' | 'channel_fee';
type Side = 'available' | 'frozen' | 'fee_revenue' | 'suspense' | 'external' | 'dispute' | 'channel' | Difference;

/** The accounts between which each cause moves money, debit first (the ledger's design page). */
const accounts: Record<TransferCause, readonly (readonly [debit: Side, credit: Side])[]> = {
  payin: [['channel', 'available']],
  payin_fee: [
    ['channel', 'fee_revenue'],
    ['suspense', 'fee_revenue'],
  ],
  payin_part: [['channel', 'suspense']],
  payin_parts_credited: [['suspense', 'available']],
  suspense_in: [['channel', 'suspense']],
  suspense_out: [['suspense', 'channel']],
  suspense_credited: [['suspense', 'available']],
  payout_freeze: [['available', 'frozen']],
  payout_settle: [
    ['frozen', 'channel'],
    ['frozen', 'suspense'],
  ],
  payout_fee: [['frozen', 'fee_revenue']],
  payout_release: [['frozen', 'available']],
  payout_return: [['suspense', 'available']],
  top_up: [
    ['external', 'available'],
    ['channel', 'available'],
  ],
  settlement: [['available', 'external']],
  settlement_paid: [['external', 'channel']],
  settlement_returned: [['channel', 'external']],
  // A channel: a top-up that was taken back.
  adjustment: (['external', 'fee_revenue', 'suspense', 'dispute', 'variance', 'channel'] as const).flatMap(
    (other): [Side, Side][] => [
      [other, 'available'],
      ['available', other],
    ],
  ),
  reconciliation: [
    ...(['variance', 'written_off', 'channel_fee', 'external'] as const).flatMap((other): [Side, Side][] => [
      ['channel', other],
      [other, 'channel'],
    ]),
    // A case of money that left is written off, and comes back all the same.
    ['written_off', 'suspense'],
    ['suspense', 'written_off'],
  ],
};

const pairs = Object.entries(accounts).flatMap(([cause, sides]) =>
  sides.map(([debit, credit]) => `('${cause}', '${debit}', '${credit}')`),
);

/** The next transfers after each position. Parameters: $1 positions, $2 most transfers of each merchant. */
export const nextTransfers = `cross join lateral (
  select * from transfer t where t.merchant_id = p."merchantId" and t.transfer_no > p."transferNo" and t.transfer_no <= ${upTo('Transfer')}
  order by t.transfer_no limit $2) t`;

const next = `json_to_recordset($1::json) as p("merchantId" text, "transferNo" bigint, "untilTransferNo" bigint) ${nextTransfers}`;

/**
 * The invariants of a single transfer. The platform's accounts follow from them: money of a channel, the bank or the
 * fees is in transfers of these causes only. Those are compared with payments, fees and wallets.
 */
export const transferRules: Rules = {
  'a transfer moves between the accounts of its cause': `
    select t.merchant_id, 'transfer ' || t.transfer_no as subject, format('%s from %s to %s', t.cause, t.debit, t.credit) as detail
    from ${next}
    where not exists (select from (values ${pairs.join(', ')}) as a(cause, debit, credit)
      where a.cause = t.cause and a.debit = split_part(t.debit, ':', 1) and a.credit = split_part(t.credit, ':', 1))
      -- Of one channel, which has a name.
      or t.debit like '%:' or t.credit like '%:' or t.debit like '%:%' and t.credit like '%:%' and split_part(t.debit, ':', 2) <> split_part(t.credit, ':', 2)`,

  'money of no order moves at the channel of its payment or case': movementsOfNoOrder(next),

  'what a channel pays for a settlement is of that settlement': `
    select t.merchant_id, 'transfer ' || t.transfer_no as subject, format('%s of %s is of no settlement', t.cause, t.amount) as detail
    from ${next}
    left join lateral (select s.seq from settlement s where t.cause in ('settlement_paid', 'settlement_returned') and s.merchant_id = t.merchant_id
      and case t.cause when 'settlement_paid' then s.transfer_no else s.return_transfer_no end = t.transfer_no offset 0) s on true
    where t.cause in ('settlement_paid', 'settlement_returned') and s.seq is null`,

  // An index allows each transfer one refund, and each case one refund that did not fail.
  'a refund moved the money of its case once': `
    select t.merchant_id, 'refund ' || f.refund_no as subject,
      format('it is %s over %s, transfer %s is %s over %s, case %s is %s', f.state, f.amount, t.transfer_no, t.cause, t.amount, f.case_no, c.state) as detail
    from ${next}
    cross join lateral (
      select * from refund f where f.merchant_id = t.merchant_id and f.transfer_no = t.transfer_no offset 0) f
    left join lateral (
      select * from money_case c where c.merchant_id = f.merchant_id and c.case_no = f.case_no offset 0) c on true
    where (t.cause, t.debit, t.credit, t.amount, t.currency)
        is distinct from ('suspense_out', 'suspense', 'channel:' || f.channel_id, f.amount, f.currency)
      or c.amount is distinct from f.amount
      or (f.state = 'refunded' and (c.state, c.refund_no) is distinct from ('returned', f.refund_no))
      or f.state not in ('refunded', 'failed')`,
};
