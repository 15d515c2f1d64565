import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { Domain } from '../open-domain.ts';
import { findSettlement, type SettlementRef } from '../settlement/change-settlement.ts';
import { sendSettlement } from '../settlement/payment/send-settlement.ts';
import { workOnSettlement } from '../settlement/payment/work-on-settlement.ts';
import type { TestDomain } from './open-test-domain.ts';
import { by } from './payouts.ts';
import { anApprovedSettlement } from './settlements.ts';

// Settlements over 50.00 in India that the fake channel pays.

export const paid = (amount = '50.00'): ChannelAnswer => ({
  outcome: 'paid',
  channelRef: 'pout_1',
  payments: [{ reference: 'UTR-1', amount }],
});
export const returned = (): ChannelAnswer => ({
  outcome: 'returned',
  payments: [{ reference: 'UTR-1', amount: '50.00' }],
  returned: { reference: 'UTR-2', amount: '50.00' },
  reason: 'account closed',
});
export const notFound: ChannelAnswer = { outcome: 'unknown', why: 'not_found', detail: 'no such payout' };
export const noAnswer: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: 'timed out' };

/** What was posted when the channel paid, and when it gave the money back. */
export const out = 'external > channel:fake 50.00';
export const back = 'channel:fake > external 50.00';

/** Reconciles the channel in India from 1 November 2026. */
export async function reconcilesIndia({ database: { pool } }: Domain): Promise<void> {
  await pool.query(
    "insert into reconciled_channel (merchant_id, channel_id, begins_on) values ('PLATFORM-IN', 'fake', '2026-11-01')",
  );
}

type Sent = SettlementRef & { paymentNo: string };

export function openSettlementsByChannel(open: () => TestDomain) {
  const found = async (ref: SettlementRef) => {
    const settlement = await findSettlement(open().domain, ref);
    if (!settlement) throw new Error('there is no such settlement');
    return settlement;
  };
  return {
    found,
    calls: () => open().channel.calls.map(({ operation }) => operation),
    /** An approved settlement whose payment was claimed for the channel. */
    async aSent(): Promise<Sent> {
      const { domain } = open();
      const ref = await anApprovedSettlement(domain, 'IN');
      const sent = await sendSettlement(domain, ref, {}, by('ann'));
      if (!sent.ok) throw new Error(sent.rejection);
      return { ...ref, paymentNo: (await found(ref)).paymentNo ?? '' };
    },
    /** The next step of a worker, as if its time had come. */
    async work(ref: Sent): Promise<string> {
      const { domain } = open();
      await domain.database.pool.query(
        'update settlement set next_action_at = clock_timestamp() where payment_no = $1 and next_action is not null',
        [ref.paymentNo],
      );
      return workOnSettlement(domain, ref);
    },
    /** What the merchant has, what was posted at the channel, and its cases. */
    async moneyOf({ merchantId }: Pick<SettlementRef, 'merchantId'>): Promise<string> {
      const { rows } = await open().domain.database.pool.query<{ words: string }>(
        `select format('%s; %s; %s', w.available,
           (select string_agg(format('%s > %s %s', t.debit, t.credit, t.amount), ', ' order by t.transfer_no) from transfer t
             where t.merchant_id = w.merchant_id and 'channel:fake' in (t.debit, t.credit)),
           (select string_agg(c.kind, ', ' order by c.case_no) from money_case c where c.merchant_id = w.merchant_id)) as words
         from wallet w where w.merchant_id = $1`,
        [merchantId],
      );
      return rows[0]?.words ?? '';
    },
  };
}
