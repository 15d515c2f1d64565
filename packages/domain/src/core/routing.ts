import { Money } from './money.ts';
import type { OrderKind, OrderMode } from './order.ts';
import type { Rejection } from './rejection.ts';
import { configuredWeight, type RouteHealth } from './routing-health.ts';

/** One route of a merchant's orders. Lower `priority` goes first; equal ones are drawn by `weight`. */
export interface Route {
  kind: OrderKind;
  /** Null: for every code. */
  bankCode: string | null;
  channelId: string;
  mode: OrderMode;
  minAmount: string;
  maxAmount: string;
  priority: number;
  weight: number;
}

/** A channel's own code for one of our bank codes. */
export interface BankMapping {
  channelId: string;
  kind: OrderKind;
  bankCode: string;
  channelBankCode: string;
}

export interface RoutingRequest {
  kind: OrderKind;
  bankCode: string | null;
  amount: Money;
  /**
   * A payout must be mapped, also on the task market. A payin with an unknown code uses the routes for every code
   * (decisions 4).
   */
  mappingRequired: boolean;
}

export interface Candidate {
  channelId: string;
  mode: OrderMode;
  channelBankCode: string | null;
}

export type Routing = { ok: true; candidates: [Candidate, ...Candidate[]] } | { ok: false; rejection: Rejection };

/**
 * The channels to try, best first. `routes` are the merchant's enabled routes with enabled channels. A refusal has the
 * most specific reason: nothing enabled, bank not mapped, or amount outside every route. `random` in [0, 1). Health
 * changes only the order of the candidates: no request is refused because of it.
 */
export function routesFor(
  routes: readonly Route[],
  mappings: readonly BankMapping[],
  request: RoutingRequest,
  random: () => number,
  healthOf: (channelId: string) => RouteHealth = () => configuredWeight,
): Routing {
  const { kind, bankCode, amount } = request;
  const ofKind = routes.filter((route) => route.kind === kind);
  if (ofKind.length === 0) return { ok: false, rejection: 'no_channel_available' };
  const mappingOf = (route: Route): BankMapping | undefined =>
    mappings.find((m) => m.channelId === route.channelId && m.kind === kind && m.bankCode === bankCode);
  const mapped = request.mappingRequired ? ofKind.filter((route) => mappingOf(route) !== undefined) : ofKind;
  if (mapped.length === 0) return { ok: false, rejection: 'bank_mapping_not_found' };
  const own = mapped.filter((route) => route.bankCode !== null && route.bankCode === bankCode);
  const fitting = own.length > 0 ? own : mapped.filter((route) => route.bankCode === null);
  if (fitting.length === 0) return { ok: false, rejection: 'no_channel_available' };
  const within = fitting.filter((route) => isWithin(amount, route));
  const weighted = within.map((route) => ({ route, ...healthOf(route.channelId) }));
  const [first, ...rest] = passedOver(ordered(weighted, random)).map(({ route }) => ({
    channelId: route.channelId,
    mode: route.mode,
    channelBankCode: mappingOf(route)?.channelBankCode ?? null,
  }));
  return first ? { ok: true, candidates: [first, ...rest] } : { ok: false, rejection: 'amount_out_of_range' };
}

/** Whether an amount is within limits, both included. */
export function isWithin(amount: Money, limits: { minAmount: string; maxAmount: string }): boolean {
  return (
    !amount.isLessThan(Money.of(limits.minAmount, amount.currency)) &&
    !Money.of(limits.maxAmount, amount.currency).isLessThan(amount)
  );
}

interface WeightedRoute {
  route: Route;
  weightFactor: number;
  isLast: boolean;
}

/**
 * Puts channels that count as last behind the others. A route that people work on stays behind every channel before it:
 * a channel that does not answer for a while is no reason to give orders to people.
 */
function passedOver(routes: readonly WeightedRoute[]): WeightedRoute[] {
  const result: WeightedRoute[] = [];
  let last: WeightedRoute[] = [];
  for (const one of routes) {
    if (one.route.mode !== 'upstream') {
      result.push(...last, one);
      last = [];
    } else if (one.isLast) last.push(one);
    else result.push(one);
  }
  return [...result, ...last];
}

/** Orders routes by priority; within one priority a draw by effective weight without replacement. */
function ordered(routes: readonly WeightedRoute[], random: () => number): WeightedRoute[] {
  const left = [...routes].sort((a, b) => a.route.priority - b.route.priority);
  const result: WeightedRoute[] = [];
  const total = (some: readonly WeightedRoute[]): number =>
    some.reduce((sum, { route, weightFactor }) => sum + route.weight * weightFactor, 0);
  while (left[0]) {
    const lot = left.filter(({ route }) => route.priority === left[0]?.route.priority);
    const ticket = random() * total(lot);
    const picked = lot.find((_, i) => ticket < total(lot.slice(0, i + 1))) ?? left[0];
    result.push(picked);
    left.splice(left.indexOf(picked), 1);
  }
  return result;
}
