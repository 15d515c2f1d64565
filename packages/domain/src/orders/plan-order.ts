import { randomBytes } from 'node:crypto';
import type { ChannelAccess, ChannelStanding, RoutingView } from '../channels/index.ts';
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
  /** Whether the address of its notifications is the merchant's default, because the request has none. */
  isByDefault: boolean;
  /** The terms by creation time, if they change. Then the order has only the first ones. */
  fees?: readonly FeeStep[];
  /** The routes to try, the order's own first. */
  candidates: [Candidate, ...Candidate[]];
}

/** The plan with this one of its candidates as the order's own. Those before it were passed over. */
export function withCandidate(planned: PlannedOrder, candidate: Candidate): PlannedOrder {
  const { channelId, channelBankCode, mode } = candidate;
  const others = planned.candidates.slice(planned.candidates.indexOf(candidate) + 1);
  return {
    ...planned,
    order: { ...planned.order, channelId, channelBankCode, mode },
    candidates: [candidate, ...others],
  };
}

/**
 * Prices and routes a request before anything is in the ledger, for payins and payouts alike. Channels that answer
 * badly get fewer orders. A channel that the environment must not use gets none.
 */
export function planOrder(
  kind: OrderKind,
  merchant: MerchantProfile,
  request: PayinRequest,
  { healthOf }: RoutingView,
  standings: Standings,
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
  const routes = merchant.routes.filter(
    ({ mode, channelId }) => canCarry(mode, kind, merchant.country) && standings.get(channelId)?.problem === null,
  );
  const routing = routesFor(routes, merchant.mappings, wanted, Math.random, healthOf);
  if (!routing.ok) return no(routing.rejection);
  const carried = kind === 'payout' ? carriers(routing.candidates, request, merchant, standings) : routing;
  if (!carried.ok) return carried;
  const { candidates } = carried;
  const { channelId, channelBankCode, mode } = candidates[0];
  const fallsBackToDefault = kind === 'payout' || rules.payin.defaultNotifyUrl;
  const order: NewOrder = {
    merchantId: merchant.merchantId,
    orderNo: makeOrderNo(kind, merchant.merchantId, Date.now(), randomBytes(12)),
    merchantOrderNo: request.merchantOrderNo,
    kind,
    country: merchant.country,
    currency: merchant.currency,
    mode,
    isLive: standings.get(channelId)?.mode === 'live',
    amount: amount.toString(),
    ...(price ?? { feeTerms: first.terms, feeAmount: '0.00', netAmount: amount.toString() }),
    bankCode: request.bankCode,
    channelId,
    channelBankCode,
    notifyUrl: request.notifyUrl ?? (fallsBackToDefault ? merchant.defaultNotifyUrl : null),
    details: request.details,
  };
  const isByDefault = request.notifyUrl === null && fallsBackToDefault;
  return { ok: true, value: { order, isByDefault, candidates, ...(!isFixed && { fees }) } };
}

/** The candidates that can carry the payee. If none can, the refusal names the field and the reason of the first one. */
function carriers(
  candidates: PlannedOrder['candidates'],
  { amount, details: { party = {} } }: PayinRequest,
  { country, currency }: MerchantProfile,
  standings: Standings,
): { ok: true; candidates: PlannedOrder['candidates'] } | { ok: false; rejection: Rejection; detail: string } {
  const problems = candidates.map(({ mode, channelId }) => {
    if (mode !== 'upstream') return null;
    return standings.get(channelId)?.problemOfPayee?.({ party, amount, currency }) ?? null;
  });
  const [first, ...others] = candidates.filter((_, nth) => problems[nth] === null);
  if (first) return { ok: true, candidates: [first, ...others] };
  const [problem] = problems;
  const path = (problem && countryRules[country].payout?.paths[problem.field]) ?? 'payee';
  return { ok: false, rejection: 'invalid_parameter', detail: `${path} ${problem?.reason}` };
}

/** How the channels of a merchant's routes stand with the environment, by their ids. */
export type Standings = ReadonlyMap<string, ChannelStanding>;

/** Reads how the channels of a merchant's routes stand. They are in memory, except once a second. */
export async function standingsOf(
  { channelStandings }: Pick<ChannelAccess, 'channelStandings'>,
  { routes }: Pick<MerchantProfile, 'routes'>,
): Promise<Standings> {
  const found = await Promise.all(routes.map(({ channelId }) => channelStandings(channelId)));
  return new Map(found.flatMap((standing) => (standing ? [[standing.channelId, standing] as const] : [])));
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
