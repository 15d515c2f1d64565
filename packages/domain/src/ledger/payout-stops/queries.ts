import type { Statement } from '../../database/columns.ts';

/** Whether the wallet `t` is what its last entry `e` left. */
export const isItsLastEntry = `case when t.last_entry_no = 0 then t.available = 0 and t.frozen = 0
  else coalesce(e.available_after = t.available and e.frozen_after = t.frozen, false) end`;

/** Whether the money of the wallet `t` at a channel is still to be withheld: the withholding has not come to its merchant. */
const isBeingWithheld = `exists (select from money_withholding h where h.ended_at is null and t.merchant_id > h.through_merchant and (
  exists (select from account_total a where a.merchant_id = t.merchant_id and a.account = 'channel:' || h.channel_id)
  or exists (select from transfer r where r.merchant_id = t.merchant_id and r.transfer_no > coalesce((
      select p.transfer_no from account_total_progress p where p.merchant_id = t.merchant_id), 0)
    and 'channel:' || h.channel_id in (r.debit, r.credit))))`;

/**
 * Of these merchants, those whose payouts are stopped: a finding of the audit stops them until two operators release
 * them. So does a wallet that is not what its last entry left, which the audit has yet to find, and money that is about
 * to be withheld. Parameters: $1 merchants.
 */
export const stoppedPayoutsStatement = {
  name: 'stopped-payouts',
  text: `select t.merchant_id as "merchantId" from wallet t
    left join payout_stop s on s.merchant_id = t.merchant_id and s.released_at is null
    left join wallet_entry e on e.merchant_id = t.merchant_id and e.entry_no = t.last_entry_no
    where t.merchant_id = any($1::text[]) and (s.merchant_id is not null or not ${isItsLastEntry} or ${isBeingWithheld})`,
} as const satisfies Statement;
