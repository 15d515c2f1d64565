import { signedSum, type WalletEntry } from '@tidegate/domain';
import { readWholeNumber } from '@tidegate/settings/whole-number';
import type { JsonValue } from '@tidegate/signature';
import type * as z from 'zod';
import { invalidParameters } from '../request/refusals.ts';
import type { transactionSchema, transactionsSchema } from './answer-schemas.ts';
import type { Endpoint } from './endpoint.ts';

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

/** Wallet transactions, newest first (contract "Wallet transactions"; decisions 4, 6). All four countries. */
export const walletTransactions: Endpoint = {
  method: 'GET',
  path: '/wallet/transactions',
  async answer(domain, { merchant, fields }) {
    const page = readCount(fields.page, 1, Math.floor(Number.MAX_SAFE_INTEGER / MAX_PAGE_SIZE));
    const pageSize = readCount(fields.pageSize, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
    const problems = [
      ...(page === null ? [{ path: 'page', reason: 'must be a whole number from 1' }] : []),
      ...(pageSize === null ? [{ path: 'pageSize', reason: `must be a whole number from 1 to ${MAX_PAGE_SIZE}` }] : []),
    ];
    if (page === null || pageSize === null) return invalidParameters(problems);
    const { total, entries } = await domain.readWalletPage(merchant.merchantId, page, pageSize);
    const list = entries.map((entry) => show(entry, merchant.currency));
    return { ok: true, data: { list, page, pageSize, total } satisfies z.infer<typeof transactionsSchema> };
  },
};

/** A whole number from 1 to `max`; `preset` if absent, null for anything else. */
function readCount(value: JsonValue | undefined, preset: number, max: number): number | null {
  if (value === undefined) return preset;
  return typeof value === 'string' ? readWholeNumber(value, 1, max) : null;
}

/**
 * `amount` is the change of the balance, with its sign. It is zero for a freeze and a release; these show the frozen
 * amount instead.
 */
function show(entry: WalletEntry, currency: Parameters<typeof signedSum>[0]): z.infer<typeof transactionSchema> {
  const { availableChange, frozenChange, availableAfter, frozenAfter, orderNo, merchantOrderNo, remark } = entry;
  const movesFrozen = entry.type === 'PAYOUT_FREEZE' || entry.type === 'PAYOUT_RELEASE';
  return {
    transactionNo: `WT${String(entry.entryNo).padStart(12, '0')}`,
    type: entry.type,
    amount: signedSum(currency, availableChange, frozenChange),
    ...(movesFrozen && { frozenChange }),
    balance: signedSum(currency, availableAfter, frozenAfter),
    available: availableAfter,
    frozen: frozenAfter,
    ...(orderNo !== null && { orderNo }),
    ...(merchantOrderNo !== null && { merchantOrderNo }),
    ...(remark !== null && { remark }),
    createdAt: Math.floor(entry.createdAt / 1000),
  };
}
