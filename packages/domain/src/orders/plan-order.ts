import { randomBytes } from 'node:crypto';
import type { RoutingView } from '../channels/index.ts';
import type { MerchantProfile } from '../configuration/index.ts';
import type { NewOrder } from '../core/commands.ts';
import type { Country } from '../core/country.ts';
import { type FeeStep, feeSteps } from '../core/fee.ts';
import { Money } from '../core/money.ts';
import type { OrderKind, OrderMode } from '../core/order.ts';
import { makeOrderNo } from '../core/order-number.ts';
import { priceBy } from '../core/price-order.ts';
import type { Rejection, Result } from '../core/rejection.ts';
import { type Candidate, isWithin, routesFor } from '../core/routing.ts';
import type { PayinRequest } from '../countries/definition.ts';
import { countryRules, orderRules } from '../countries/index.ts';

export interface PlannedOrder {
  order: NewOrder;
  /** The terms by creation time, if they change. Then the order has only the first ones. */
  fees?: readonly FeeStep[];
  /** The routes to try, the order's own first. */
  candidates: [Candidate, ...Candidate[]];
}

/**
 * Prices and routes a request before anything is in the ledger, for payins and payouts alike. Upstream channels
 * without free capacity are passed over, and those that answer badly get fewer orders.
 */
export function planOrder(
  kind: OrderKind,
  merchant: MerchantProfile,
  request: PayinRequest,
  { healthOf }: RoutingView,
  hasRoom: (channelId: string) => boolean = () => true,
): Result<PlannedOrder> {
  const rules = countryRules[merchant.country];
  const enabled = kind === 'payin' ? merchant.payinEnabled : merchant.payoutEnabled && rules.payout !== null;
  if (!enabled) return no('operation_not_available');
  const amount = Money.of(request.amount, merchant.currency);
  if (!isWithin(amount, merchant.limits[kind])) return no('amount_out_of_range');
  const fees = feeSteps(merchant.feeRules, kind, request.bankCode);
  const [first] = fees;
  if (!first) return no('operation_not_available');
  // Terms that begin later are chosen when the order is created (`priceAt`).
  const isFixed = fees.length === 1 && first.from === Number.NEGATIVE_INFINITY;
  const price = priceBy(first.terms, { kind, amount });
  if (isFixed && !price) return no('amount_out_of_range');
  const mappingRequired = kind === 'payout' && rules.payout?.mappingRequired === true;
  const wanted = { kind, bankCode: request.bankCode, amount, mappingRequired };
  const routes = merchant.routes.filter(({ mode }) => canCarry(mode, kind, merchant.country));
  const routing = routesFor(routes, merchant.mappings, wanted, Math.random, healthOf);
  if (!routing.ok) return no(routing.rejection);
  const [way, ...others] = routing.candidates.filter((one) => one.mode !== 'upstream' || hasRoom(one.channelId));
  if (!way) return no('no_channel_available');
  const candidates: PlannedOrder['candidates'] = [way, ...others];
  const { channelId, channelBankCode, mode } = way;
  const fallsBackToDefault = kind === 'payout' || rules.payin.defaultNotifyUrl;
  const order: NewOrder = {
    merchantId: merchant.merchantId,
    orderNo: makeOrderNo(kind, merchant.merchantId, Date.now(), randomBytes(12)),
    merchantOrderNo: request.merchantOrderNo,
    kind,
    country: merchant.country,
    currency: merchant.currency,
    mode,
    amount: amount.toString(),
    ...(price ?? { feeTerms: first.terms, feeAmount: '0.00', netAmount: amount.toString() }),
    bankCode: request.bankCode,
    channelId,
    channelBankCode,
    notifyUrl: request.notifyUrl ?? (fallsBackToDefault ? merchant.defaultNotifyUrl : null),
    details: request.details,
  };
  return { ok: true, value: { order, candidates, ...(!isFixed && { fees }) } };
}

/**
 * Whether an order can use this route. Manual mode is for payins only, and the task market for payouts of countries
 * that have one. A channel handles both.
 */
function canCarry(mode: OrderMode, kind: OrderKind, country: Country): boolean {
  if (mode === 'manual') return kind === 'payin';
  return mode === 'upstream' || orderRules.transition(kind, country, 'created', 'task_listed') !== null;
}

function no(rejection: Rejection): { ok: false; rejection: Rejection } {
  return { ok: false, rejection };
}
