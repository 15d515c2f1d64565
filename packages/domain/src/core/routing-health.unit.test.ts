import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Money } from './money.ts';
import { type Route, type RoutingRequest, routesFor } from './routing.ts';
import {
  type BreakerState,
  type CreateOutcome,
  isAnswer,
  type RouteHealth,
  routingHealthOf,
  wasSent,
  weightFactorOf,
} from './routing-health.ts';

const now = 1_000_000_000;
const second = 1_000;
const minute = 60 * second;

/** One outcome a second, `a` answered and `u` not; the last one ended `ago` ms before now. */
const outcomes = (letters: string, ago = 0): CreateOutcome[] =>
  [...letters].map((letter, i) => ({
    at: now - ago - (letters.length - 1 - i) * second,
    isAnswered: letter === 'a',
  }));
const healthOf = (known: readonly CreateOutcome[], scheduleScale = 1) => routingHealthOf(known, now, { scheduleScale });

test('a refusal and an unknown order count as answers, and silence does not', () => {
  expect(isAnswer({ outcome: 'refused', reason: 'limit' })).toBe(true);
  expect(isAnswer({ outcome: 'unknown', why: 'not_found', detail: '' })).toBe(true);
  expect(isAnswer({ outcome: 'unknown', why: 'no_answer', detail: 'HTTP 503' })).toBe(false);
});

test('a refusal by the adapter before a call does not count for the channel', () => {
  expect(wasSent({ outcome: 'refused', reason: 'limit' })).toBe(true);
  expect(wasSent({ outcome: 'refused', reason: 'too late', isUnsent: true })).toBe(false);
});

test.each<[name: string, known: CreateOutcome[], rate: number | null, breaker: BreakerState]>([
  ['no creates', [], null, 'closed'],
  ['nine creates are too few', outcomes('u'.repeat(9)), null, 'closed'],
  ['ten creates are enough', outcomes('uaaaaaaaaa'), 0.9, 'closed'],
  ['older creates do not count', [...outcomes('u'.repeat(5), 5 * minute), ...outcomes('a'.repeat(10))], 1, 'closed'],
  ['ten unanswered in a row open the breaker', outcomes(`aa${'u'.repeat(10)}`), 2 / 12, 'open'],
  ['one answer among ten keeps the breaker closed', outcomes(`uuuuu${'a'}uuuuuuuuu`), 1 / 15, 'closed'],
  ['the breaker is open until the pause is over', outcomes('u'.repeat(10), 30 * second - 1), 0, 'open'],
  ['after the pause the breaker is half-open', outcomes('u'.repeat(10), 30 * second), 0, 'half_open'],
  ['one success closes the breaker', outcomes(`${'u'.repeat(10)}a`), 1 / 11, 'closed'],
  [
    'unanswered calls from before the window count',
    [...outcomes('u'.repeat(9), 9 * minute), ...outcomes('u')],
    null,
    'open',
  ],
  ['the breaker closes if the window has no attempt', outcomes('u'.repeat(10), 5 * minute), null, 'closed'],
])('%s', (_, known, successRate, breaker) => {
  expect(healthOf(known)).toEqual({ successRate, breaker });
});

test('window and pause follow the scale of the schedule', () => {
  expect(healthOf(outcomes('u'.repeat(10), 3 * second), 0.1).breaker).toBe('half_open');
  expect(healthOf(outcomes('u'.repeat(10), 30 * second), 0.1)).toEqual({ successRate: null, breaker: 'closed' });
});

test('the weight follows the success rate down to a floor, and few samples change nothing', () => {
  const factor = (successRate: number | null, breaker: BreakerState = 'closed') =>
    weightFactorOf({ successRate, breaker });
  expect([factor(null), factor(1), factor(0.5), factor(0.01), factor(0)]).toEqual([1, 1, 0.5, 0.05, 0.05]);
  expect([factor(0, 'open'), factor(0, 'half_open')]).toEqual([0.05, 1]);
});

const ids = ['a', 'b', 'c', 'd', 'e'];
const routeOf = fc.record<Route>({
  kind: fc.constant('payin'),
  bankCode: fc.constant(null),
  channelId: fc.constantFrom(...ids),
  mode: fc.constant('upstream'),
  minAmount: fc.constant('1.00'),
  maxAmount: fc.constantFrom('50.00', '1000.00'),
  priority: fc.integer({ min: 1, max: 3 }),
  weight: fc.integer({ min: 1, max: 1_000 }),
});
const routes = fc.uniqueArray(routeOf, { selector: ({ channelId }) => channelId, maxLength: 5 });
const known = fc.array(fc.record({ at: fc.integer({ min: now - 6 * minute, max: now }), isAnswered: fc.boolean() }), {
  maxLength: 40,
});
const healths = fc.array(known, { minLength: ids.length, maxLength: ids.length }).chain((all) =>
  fc
    .array(fc.boolean(), { minLength: ids.length, maxLength: ids.length })
    .map((last) => (channelId: string): RouteHealth => {
      const i = ids.indexOf(channelId);
      return { weightFactor: weightFactorOf(healthOf(all[i] ?? [])), isLast: last[i] ?? false };
    }),
);
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const request: RoutingRequest = {
  kind: 'payin',
  bankCode: null,
  amount: Money.of('100.00', 'PKR'),
  mappingRequired: false,
};

test('health never refuses an order or drops a channel; priorities are kept, and unhealthy channels come last', () => {
  fc.assert(
    fc.property(routes, healths, random, (given, health, ticket) => {
      const configured = routesFor(given, [], request, () => ticket);
      const routed = routesFor(given, [], request, () => ticket, health);
      if (!configured.ok || !routed.ok) {
        expect(routed).toEqual(configured);
        return;
      }
      const channels = routed.candidates.map(({ channelId }) => channelId);
      expect(channels.toSorted()).toEqual(configured.candidates.map(({ channelId }) => channelId).toSorted());
      const rank = (id: string) =>
        (health(id).isLast ? 100 : 0) + (given.find(({ channelId }) => channelId === id)?.priority ?? 0);
      expect(channels.map(rank)).toEqual(channels.map(rank).toSorted((a, b) => a - b));
    }),
  );
});

test('a channel that never answers keeps a small share, and a bad channel of a better priority still comes first', () => {
  const route = (channelId: string, changes: Partial<Route> = {}): Route => ({
    kind: 'payin',
    bankCode: null,
    channelId,
    mode: 'upstream',
    minAmount: '1.00',
    maxAmount: '1000.00',
    priority: 100,
    weight: 2,
    ...changes,
  });
  const silent = weightFactorOf({ successRate: 0, breaker: 'closed' });
  const health = (channelId: string): RouteHealth => ({ weightFactor: channelId === 'a' ? silent : 1, isLast: false });
  const first = (some: Route[], ticket: number) => {
    const routed = routesFor(some, [], request, () => ticket, health);
    return routed.ok && routed.candidates[0].channelId;
  };
  const draws = Array.from({ length: 105 }, (_, i) => first([route('a'), route('b')], (i + 0.5) / 105));
  expect(draws.filter((channelId) => channelId === 'a')).toHaveLength(5);
  expect(first([route('a', { priority: 1 }), route('b')], 0.99)).toBe('a');
});
