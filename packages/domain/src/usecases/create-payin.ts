import { randomBytes } from 'node:crypto';
import type { NewOrder } from '../core/commands.ts';
import { feeOn, feeTermsFor } from '../core/fee.ts';
import { Money } from '../core/money.ts';
import { makeOrderNo } from '../core/order-number.ts';
import type { Order } from '../core/order.ts';
import type { Rejection, Result } from '../core/rejection.ts';
import { type Candidate, isWithin, routesFor } from '../core/routing.ts';
import { workLease } from '../core/schedule.ts';
import { countryRules } from '../countries/index.ts';
import type { PayinRequest } from '../countries/rules.ts';
import type { MerchantProfile } from '../store/directory.ts';
import type { Domain } from './domain.ts';
import { orderOf } from './order-of.ts';
import { submitPayin } from './submit-payin.ts';

/**
 * Creates a payin: priced, routed, put on the books, and where its country says so submitted before the answer.
 * Refusals: operation_not_available, amount_out_of_range, no_channel_available, merchant_order_no_exists; and, with the order
 * on the books, upstream_rejected and upstream_timeout (decisions 5.2, 5.3).
 */
export async function createPayin(domain: Domain, merchant: MerchantProfile, request: PayinRequest): Promise<Result<Order>> {
  const rules = countryRules[merchant.country].payin;
  const planned = plan(merchant, request);
  if (!planned.ok) return planned;
  const { order, candidates } = planned.value;
  const channel = await domain.channels(order.channelId);
  const inRequest = rules.submittedBy === 'request';
  const placed = await domain.commit({
    type: 'createPayin',
    order,
    // Should this process die before the channel's answer is on the books, the worker takes over after the lease.
    submitAfter: inRequest ? workLease : 0,
    expiresIn: (channel?.payinExpirySeconds ?? 1800) * 1000,
  });
  if (!placed.ok) return placed;
  const onBooks = placed.order ?? (await orderOf(domain, order));
  if (!inRequest) return { ok: true, value: onBooks };
  const submitted = await submitPayin(domain, onBooks, candidates.slice(1));
  return submitted.rejection ? { ok: false, rejection: submitted.rejection, detail: submitted.order.orderNo } : { ok: true, value: submitted.order };
}

function plan(merchant: MerchantProfile, request: PayinRequest): Result<{ order: NewOrder; candidates: Candidate[] }> {
  const no = (rejection: Rejection): { ok: false; rejection: Rejection } => ({ ok: false, rejection });
  if (!merchant.payinEnabled) return no('operation_not_available');
  const amount = Money.of(request.amount, merchant.currency);
  if (!isWithin(amount, merchant.limits.payin)) return no('amount_out_of_range');
  const feeTerms = feeTermsFor(merchant.feeRules, 'payin', request.bankCode);
  if (!feeTerms) return no('operation_not_available');
  const fee = feeOn(amount, feeTerms);
  if (!fee.isLessThan(amount)) return no('amount_out_of_range');
  const routing = routesFor(
    merchant.routes,
    merchant.mappings,
    { kind: 'payin', bankCode: request.bankCode, amount, mappingRequired: false },
    Math.random,
  );
  if (!routing.ok) return routing;
  const [first] = routing.candidates;
  const rules = countryRules[merchant.country].payin;
  const order: NewOrder = {
    merchantId: merchant.merchantId,
    orderNo: makeOrderNo('payin', merchant.merchantId, Date.now(), randomBytes(12)),
    merchantOrderNo: request.merchantOrderNo,
    kind: 'payin',
    country: merchant.country,
    currency: merchant.currency,
    mode: first.mode,
    amount: amount.toString(),
    feeAmount: fee.toString(),
    netAmount: amount.minus(fee).toString(),
    feeTerms,
    bankCode: request.bankCode,
    channelId: first.channelId,
    channelBankCode: first.channelBankCode,
    notifyUrl: request.notifyUrl ?? (rules.defaultNotifyUrl ? merchant.defaultNotifyUrl : null),
    details: request.details,
  };
  return { ok: true, value: { order, candidates: routing.candidates } };
}
