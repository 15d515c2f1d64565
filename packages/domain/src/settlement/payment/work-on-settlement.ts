import { type CalledOrder, type ChannelAccess, callChannel } from '../../channels/index.ts';
import type { ChannelAnswer } from '../../core/channel-answer.ts';
import type { Country } from '../../core/country.ts';
import { callDeadline, createDeadline, type TimeScale, workLease } from '../../core/schedule.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { Telemetry } from '../../core/telemetry.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import type { VaultAccess } from '../../database/vault.ts';
import { claimInTime, type LedgerAccess, stuckAfter } from '../../ledger/index.ts';
import type { WorkOutcome } from '../../orders/index.ts';
import { openAccount } from '../set-cycle.ts';
import { paymentSql, stuckSql } from './queries.ts';

type Access = LedgerAccess & ChannelAccess & DatabaseAccess & VaultAccess & Telemetry;
type Found = Settlement & { sealed: Buffer; country: Country };

/**
 * Does the next step of a settlement that a channel pays: sends it or queries it, and applies the answer. It is never
 * sent a second time before a query (ADR 0022).
 */
export async function workOnSettlement(
  domain: Access,
  { merchantId, paymentNo }: { merchantId: string; paymentNo: string },
): Promise<WorkOutcome> {
  const { pool, orm } = domain.database;
  const { rows } = await pool.query<Found & object>(paymentSql(orm), [merchantId, paymentNo]);
  const [found] = rows;
  if (!found || found.nextAction === null) return 'not_due';
  const { seq, settlementNo, attempt, nextAction: during } = found;
  const ref = { merchantId, seq, settlementNo };
  const claim = { type: 'claimSettlementPayment', ...ref, action: during, attempt, lease: workLease } as const;
  const claimed = await claimInTime(() => domain.commit(claim));
  if (!claimed.ok) return 'not_due';
  const order = toOrder(domain, found, paymentNo);
  const answer = await (during === 'send' ? send(domain, order) : ask(domain, order));
  await domain.commit({ type: 'applySettlementPayment', ...ref, paymentNo, answer, during });
  return 'done';
}

/** As for a payout, a refusal only counts if the channel also says that it does not have the payment. */
async function send(domain: Access, order: CalledOrder): Promise<ChannelAnswer> {
  const deadline = AbortSignal.timeout(createDeadline);
  const answer = await callChannel(domain, order, 'create', deadline, { endsAt: performance.now() + createDeadline });
  if (answer.outcome !== 'refused') return answer;
  const found = await ask(domain, order);
  return found.outcome === 'unknown' && found.why === 'not_found' ? answer : found;
}

function ask(domain: Access, order: CalledOrder): Promise<ChannelAnswer> {
  return callChannel(domain, order, 'query', AbortSignal.timeout(callDeadline));
}

/** The payment as its channel knows it: a payout to the bank account that two operators agreed on. */
function toOrder({ vault }: VaultAccess, found: Found, paymentNo: string): CalledOrder {
  const { merchantId, accountId, channelId, channelRef, channelBankCode, currency, amount, country } = found;
  const { holder, number, bank } = openAccount(vault, accountId ?? '', found.sealed);
  const isIfsc = /^[A-Z]{4}0[A-Z0-9]{6}$/.test(bank);
  return {
    merchantId,
    orderNo: paymentNo,
    kind: 'payout',
    country,
    currency: currency as CalledOrder['currency'],
    amount,
    channelId: channelId ?? '',
    channelRef,
    channelBankCode,
    createdAt: found.paidAt ?? found.draftedAt,
    expiresAt: null,
    details: { party: { name: holder, account: number.replaceAll(' ', ''), ...(isIfsc && { ifsc: bank }) } },
  };
}

const countedUpTo = 10_000;

/** The number of settlements without a definite answer of their channel for an hour, counted up to 10,000. */
export async function countStuckSettlements({ database, scheduleScale }: DatabaseAccess & TimeScale): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(stuckSql, [stuckAfter * scheduleScale, countedUpTo]);
  return rows[0]?.count ?? 0;
}
