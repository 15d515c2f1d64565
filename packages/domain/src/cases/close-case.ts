import { randomBytes } from 'node:crypto';
import { type ChannelAccess, canRefund } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { Command } from '../core/commands.ts';
import type { Decision } from '../core/operator.ts';
import type { EndOutgoingCase } from '../core/operator-commands.ts';
import { makeRefundNo } from '../core/order-number.ts';
import type { MoneyCase } from '../core/payment.ts';
import type { RefundOutcome } from '../core/refund.ts';
import type { Result } from '../core/rejection.ts';
import { type LedgerAccess, type LedgerReadAccess, type MovementLimit, withinLimit } from '../ledger/index.ts';
import { findOrderByNumber } from '../orders/index.ts';

export interface CaseRef {
  merchantId: string;
  caseNo: number;
}

/** Target of the money. Default: the order that the case is about. */
export interface CreditTarget {
  /** Further cases of the same merchant, credited together. */
  alsoCaseNos?: readonly number[] | undefined;
  orderNo?: string | undefined;
  /** Without an order: to this merchant's wallet. */
  toMerchantId?: string | undefined;
}

/**
 * Credits cases together: to the given order, else to the given wallet, else to the order that the case is about. Only
 * money without an owner (a case of PLATFORM-CN, -TH, -IN, -PK) can go to another merchant. A decided case cannot be
 * decided again.
 */
export async function creditCase(
  domain: LedgerAccess & DirectoryAccess & MovementLimit,
  { merchantId, caseNo }: CaseRef,
  { alsoCaseNos = [], orderNo, toMerchantId }: CreditTarget,
  by: Decision,
): Promise<Result<MoneyCase>> {
  const found = await findCase(domain, merchantId, caseNo);
  if (!found) return { ok: false, rejection: 'case_not_found' };
  const order = orderNo === undefined ? null : await findOrderByNumber(domain, orderNo);
  if (orderNo !== undefined && (!order || (toMerchantId ?? order.merchantId) !== order.merchantId))
    return { ok: false, rejection: 'order_not_found' };
  const to = order?.merchantId ?? toMerchantId;
  const target = {
    alsoCaseNos,
    orderNo,
    toMerchantId: to,
    toWallet: orderNo === undefined && toMerchantId !== undefined,
  };
  try {
    const decided = await domain.commit(creditCommand(found, target, withinLimit(domain, by)));
    if (!decided.ok) return decided;
  } catch (error) {
    if (!isCreditedAlready(error)) throw error;
    const detail = 'it was credited so before: return it, or credit the wallet';
    return { ok: false, rejection: 'case_not_creditable', detail };
  }
  return { ok: true, value: (await findCase(domain, merchantId, caseNo)) ?? found };
}

/** The command that credits a case. `toMerchantId`: whose order or wallet it is; left out: the case's own merchant. */
export function creditCommand(
  { merchantId, caseNo, orderNo: own }: Pick<MoneyCase, 'merchantId' | 'caseNo' | 'orderNo'>,
  { alsoCaseNos = [], orderNo, toMerchantId = merchantId, toWallet }: CreditTarget & { toWallet: boolean },
  by: Decision,
): Command {
  const named = { type: 'creditCase', merchantId, caseNo, alsoCaseNos, by } as const;
  // The case of an order is about an order of its own merchant.
  return { ...named, orderNo: orderNo ?? (toMerchantId === merchantId ? own : null), toMerchantId, toWallet };
}

/**
 * `by_hand`: the money was already returned. `by_channel`: the channel refunds it, and the case stays open until then.
 */
export type ReturnWay = (typeof returnWays)[number];
export const returnWays = ['by_hand', 'by_channel'] as const;

/**
 * Returns the money of a case to its sender. A decided case, or one with a refund under way, is refused. Each refund
 * through the channel has its own number (ADR 0019).
 */
export async function returnCase(
  domain: LedgerAccess & MovementLimit & Pick<ChannelAccess, 'channels'>,
  { merchantId, caseNo }: CaseRef,
  way: ReturnWay,
  by: Decision,
): Promise<Result<MoneyCase>> {
  const found = await findCase(domain, merchantId, caseNo);
  if (!found) return { ok: false, rejection: 'case_not_found' };
  const isByChannel = way === 'by_channel';
  if (isByChannel && !(await canRefund(domain, found.channelId)))
    return { ok: false, rejection: 'case_not_refundable', detail: `${found.channelId} offers no refunds` };
  const refundNo = makeRefundNo(merchantId, Date.now(), randomBytes(12));
  const command = { merchantId, caseNo, orderNo: found.orderNo, by: withinLimit(domain, by) };
  const decided = await domain.commit({ type: 'returnCase', ...command, ...(isByChannel && { refundNo }) });
  return decided.ok ? { ok: true, value: (await findCase(domain, merchantId, caseNo)) ?? found } : decided;
}

/**
 * Ends a case about money that left and does not come back: `chargeCase` takes it from the wallet of its merchant,
 * `writeOffCase` leaves it to the platform. Two operators have to agree. Refused with case_not_chargeable while its
 * payout is open, and with balance_insufficient if the merchant has too little.
 */
export async function endOutgoingCase(
  domain: LedgerAccess,
  { merchantId, caseNo }: CaseRef,
  ending: EndOutgoingCase['type'],
  by: Decision,
): Promise<Result<MoneyCase>> {
  const found = await findCase(domain, merchantId, caseNo);
  if (!found) return { ok: false, rejection: 'case_not_found' };
  const decided = await domain.commit(endingCommand(found, ending, by));
  return decided.ok ? { ok: true, value: (await findCase(domain, merchantId, caseNo)) ?? found } : decided;
}

/** The command that charges a case to its merchant or writes it off. */
export function endingCommand(
  { merchantId, caseNo, orderNo }: Pick<MoneyCase, 'merchantId' | 'caseNo' | 'orderNo'>,
  ending: EndOutgoingCase['type'],
  by: Decision,
): Command {
  return { type: ending, merchantId, caseNo, orderNo, by };
}

/**
 * The evidence that operators have about one refund. They name the refund, because the case may have another one by the
 * time of the decision.
 */
export interface RefundResolution {
  refundNo: string;
  outcome: RefundOutcome;
  evidence: string;
}

/**
 * Ends a refund whose channel gives no definite answer, by evidence that two operators have seen: `refunded` returns
 * the case, `failed` frees it for another decision. Refused with refund_not_found if the case waits for another refund.
 * Refused with not_due if it is to fail while the channel is being called.
 */
export async function resolveRefund(
  domain: LedgerAccess,
  { merchantId, caseNo }: CaseRef,
  resolution: RefundResolution,
  by: Decision,
): Promise<Result<MoneyCase>> {
  const found = await findCase(domain, merchantId, caseNo);
  if (!found) return { ok: false, rejection: 'case_not_found' };
  const decided = await domain.commit(resolveCommand(found, resolution, by));
  if (!decided.ok && decided.rejection === 'not_due')
    return { ...decided, detail: 'a query of the channel is running: decide again in half a minute' };
  return decided.ok ? { ok: true, value: (await findCase(domain, merchantId, caseNo)) ?? found } : decided;
}

/** The command that ends a refund of a case. */
export function resolveCommand(
  { merchantId, caseNo }: CaseRef,
  { refundNo, outcome, evidence }: RefundResolution,
  by: Decision,
): Command {
  return { type: 'resolveRefund', merchantId, caseNo, refundNo, outcome, evidence, by };
}

/**
 * Unique indexes guarantee that an order is credited once, and a payout's return or a wallet once with the money of a case.
 */
function isCreditedAlready(error: unknown): boolean {
  return (
    error instanceof Error &&
    'constraint' in error &&
    /^wallet_entry_(once|booking)(_p\d+)?$/.test(String(error.constraint).replace('_once_each', '_once'))
  );
}

async function findCase(domain: LedgerReadAccess, merchantId: string, caseNo: number): Promise<MoneyCase | null> {
  const { rows } = await domain.database.pool.query<MoneyCase>({
    ...domain.sql.casesByNo,
    values: [[merchantId], [caseNo]],
  });
  return rows[0] ?? null;
}
