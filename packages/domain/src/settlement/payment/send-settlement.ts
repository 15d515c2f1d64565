import { randomBytes } from 'node:crypto';
import type { DirectoryAccess, MerchantProfile } from '../../configuration/index.ts';
import { Money } from '../../core/money.ts';
import type { Decision } from '../../core/operator.ts';
import { makePaymentNo } from '../../core/order-number.ts';
import type { Outcome } from '../../core/rejection.ts';
import { type Candidate, routesFor } from '../../core/routing.ts';
import type { Settlement } from '../../core/settlement.ts';
import { countryRules } from '../../countries/index.ts';
import type { VaultAccess } from '../../database/vault.ts';
import type { LedgerAccess } from '../../ledger/index.ts';
import { findSettlement, type SettlementRef } from '../change-settlement.ts';
import { accountsSql } from '../queries.ts';
import { type BankAccount, openAccount } from '../set-cycle.ts';

type Access = LedgerAccess & DirectoryAccess & VaultAccess;

/**
 * Claims the payment of an approved settlement for a channel that the merchant's payouts can take: `channelId`, or the first of its routes. A worker then
 * sends it. Nothing is sent through a second channel. Refusals: settlement_not_found, settlement_not_there, no_bank_account, operation_not_available,
 * no_channel_available, bank_mapping_not_found, amount_out_of_range.
 */
export async function sendSettlement(
  domain: Access,
  ref: SettlementRef,
  { channelId }: { channelId?: string | undefined },
  by: Decision,
): Promise<Outcome<Settlement>> {
  const found = await findSettlement(domain, ref);
  if (!found) return { ok: false, rejection: 'settlement_not_found' };
  if (found.state !== 'approved') return { ok: false, rejection: 'settlement_not_there' };
  const merchant = await domain.directory.merchant(ref.merchantId);
  const account = await accountOf(domain, found);
  if (!merchant || !account) return { ok: false, rejection: 'no_bank_account' };
  const route = routeOf(merchant, found, account, channelId);
  if (!route.ok) return route;
  const done = await domain.commit({
    type: 'sendSettlement',
    ...ref,
    seq: found.seq,
    channelId: route.value.channelId,
    channelBankCode: route.value.channelBankCode,
    paymentNo: makePaymentNo(ref.merchantId, Date.now(), randomBytes(12)),
    by,
  });
  if (!done.ok) return done;
  return { ok: true, value: (await findSettlement(domain, ref)) ?? found };
}

/**
 * The route by which a payout of the merchant would be sent, without a random choice. A route that people work on does
 * not count.
 */
function routeOf(
  { country, routes, mappings }: MerchantProfile,
  { amount, currency }: Settlement,
  { bank }: BankAccount,
  channelId: string | undefined,
): Outcome<Candidate> {
  const { payout } = countryRules[country];
  if (payout === null) return { ok: false, rejection: 'operation_not_available' };
  const ways = routes.filter((one) => one.mode === 'upstream' && (channelId ?? one.channelId) === one.channelId);
  const wanted = {
    kind: 'payout',
    bankCode: bank,
    amount: Money.of(amount, currency as MerchantProfile['currency']),
    mappingRequired: payout.mappingRequired,
  } as const;
  const routing = routesFor(ways, mappings, wanted, () => 0);
  if (!routing.ok) return routing;
  const [first] = routing.candidates;
  return first ? { ok: true, value: first } : { ok: false, rejection: 'no_channel_available' };
}

async function accountOf(
  { database, vault }: Access,
  { merchantId, accountId }: Settlement,
): Promise<BankAccount | null> {
  const { rows } = await database.pool.query<{ sealed: Buffer }>(accountsSql, [[merchantId], [accountId]]);
  const [found] = rows;
  return found && accountId !== null ? openAccount(vault, accountId, found.sealed) : null;
}
