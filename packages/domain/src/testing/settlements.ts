import type { Country } from '../core/country.ts';
import { platformMerchantOf } from '../core/country.ts';
import { changeConfiguration } from '../ledger/index.ts';
import type { Domain } from '../open-domain.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { approveSettlement, type SettlementRef } from '../settlement/change-settlement.ts';
import { draftSettlements } from '../settlement/draft-settlements.ts';
import { addAccount, type CycleChange, removeSettlementCycle, setSettlementCycle } from '../settlement/set-cycle.ts';
import { aMerchant } from './open-test-domain.ts';
import { aReport, aTopUp, paid, placePayin } from './payins.ts';
import { by } from './payouts.ts';

/** A bank account that does not exist. */
export const anAccount = { holder: 'Lotus & Sons <Ltd>', number: 'TH00 1234 5678 9012', bank: 'BKKBTHBK' };

/** Sets a merchant's cycle as two operators: T+1, from 1 November 2026, to the bank account above. */
export async function aCycle(domain: Domain, merchantId: string, changes: Partial<CycleChange> = {}): Promise<string> {
  const cycle = { merchantId, beginsOn: '2026-11-01', account: anAccount, ...changes };
  const set = await setSettlementCycle(domain, cycle, by('ann', 'bob'));
  if (!set.ok) throw new Error(set.rejection);
  return set.value.accountId ?? '';
}

/** Makes the bank account above the one of ours that pays the settlements of a country. */
export async function ourAccount(domain: Domain, country: Country): Promise<void> {
  await changeConfiguration(
    domain,
    { tenant: platformMerchantOf(country), change: 'a test' },
    by('ann', 'bob'),
    async (within) => {
      const accountId = await addAccount(within, platformMerchantOf(country), anAccount);
      return { ok: true, value: { subject: 'an account', after: { accountId }, value: null } };
    },
  );
}

/** A payin over 100.00 (97.50 without its fee) that is paid at a moment. */
export async function paysAt(domain: Domain, merchantId: string, country: Country, at: string): Promise<void> {
  const after = await lastEntryOf(domain, merchantId);
  const order = await placePayin(domain, merchantId, country);
  await domain.commit(aReport(order, paid(`P-${order.orderNo}`)));
  await moveEntriesTo(domain, merchantId, at, after);
}

/** The number of a merchant's newest wallet entry. */
export async function lastEntryOf(domain: Domain, merchantId: string): Promise<number> {
  const { rows } = await domain.database.pool.query<{ no: number }>(
    'select last_entry_no::integer as no from wallet where merchant_id = $1',
    [merchantId],
  );
  return rows[0]?.no ?? 0;
}

/** Drafts a country's settlements of a day. Resolves to their numbers. Throws if one failed. */
export async function runSettlements(domain: Domain, country: Country, day: string): Promise<string[]> {
  const done = await draftSettlements(domain, { country, day }, by('ann'));
  if (!done.ok) throw new Error(`${done.rejection} ${done.detail}`);
  if (done.value.failed.length > 0) throw new Error(`not drafted: ${done.value.failed.join(', ')}`);
  return done.value.settlementNos;
}

/** The newest settlement of a merchant. */
export async function lastSettlementOf(domain: Domain, merchantId: string) {
  const { rows } = await domain.database.pool.query<{ no: string }>(
    'select settlement_no as no from settlement where merchant_id = $1 order by seq desc limit 1',
    [merchantId],
  );
  return { merchantId, settlementNo: rows[0]?.no ?? '' };
}

/** Moves a merchant's wallet entries after entry number `after`, and their transfers, to a moment such as `2026-11-18T10:00:00Z`. */
export async function moveEntriesTo(domain: Domain, merchantId: string, at: string, after = 0): Promise<void> {
  const client = await domain.database.pool.connect();
  try {
    await client.query(`begin; set local session_replication_role = 'replica'`);
    await client.query(
      `update transfer t set created_at = $3 from wallet_entry e where t.merchant_id = $1 and e.merchant_id = $1
         and e.entry_no > $2 and t.created_at = e.created_at`,
      [merchantId, after, at],
    );
    await client.query('update wallet_entry set created_at = $3 where merchant_id = $1 and entry_no > $2', [
      merchantId,
      after,
      at,
    ]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Closes these days of a channel, after its reconciliation knows all transfers. Other days are unchanged. */
export async function closeDays(domain: Domain, country: Country, days: readonly string[], channelId = 'fake') {
  await letReconciliationKnowAll(domain, country, channelId);
  await domain.database.pool.query(
    `insert into reconciliation_day (merchant_id, channel_id, day, state, is_covered, closed_by, approver, closed_at)
     select $1, $2, d, 'closed', true, 'ann', 'bob', clock_timestamp() from unnest($3::date[]) d
     on conflict (merchant_id, channel_id, day) do update set state = 'closed', closed_by = 'ann', approver = 'bob', closed_at = clock_timestamp()`,
    [platformMerchantOf(country), channelId, days],
  );
}

/** Reconciles a channel from 1 November 2026, so that reconciliation expects all its transfers so far. */
export async function letReconciliationKnowAll(domain: Domain, country: Country, channelId = 'fake'): Promise<void> {
  await domain.database.pool.query(
    `insert into reconciled_channel (merchant_id, channel_id, begins_on) values ($1, $2, '2026-11-01') on conflict do nothing`,
    [platformMerchantOf(country), channelId],
  );
  await reconcile(domain);
}

/** The approved settlement of a new merchant, whose wallet had just its amount. No other is drafted for it. */
export async function anApprovedSettlement(domain: Domain, country: Country, amount = '50.00'): Promise<SettlementRef> {
  const { merchantId } = await aMerchant(domain, country);
  await domain.commit(aTopUp(merchantId, 'T-1', amount));
  await moveEntriesTo(domain, merchantId, '2026-11-10T10:00:00Z');
  await aCycle(domain, merchantId);
  await runSettlements(domain, country, '2026-11-12');
  const ref = await lastSettlementOf(domain, merchantId);
  const approved = await approveSettlement(domain, ref, {}, by('ann', 'bob'));
  if (!approved.ok) throw new Error(approved.rejection);
  await removeSettlementCycle(domain, { merchantId }, by('ann'));
  return ref;
}
