import { expect, test } from 'vitest';
import { figuresRequest, queriesOf } from './figures-query.ts';

const day = 86_400_000;

test.each([
  [{ from: 0, to: 402 * day }, '400 days'],
  [{ from: 0, to: 33 * day, grain: 'hour', by: ['time'] }, '31 days'],
  [{ from: 5, to: 5 }, 'after from'],
  [{ from: 0 }, 'must be set, or from and to'],
  [{ from: 0, to: day, period: 'today' }, 'not both'],
  [{ period: 'today', compareFrom: 0, compareWith: 'day_before' }, 'together with compareFrom'],
  [{ from: 0, to: day, grain: 'week' }, 'must be one of: hour, day'],
  [{ from: 0, to: day, by: ['merchant'], withTimes: true }, 'needs merchantIds'],
])('the query %j is refused: %s', (query, reason) => {
  const parsed = figuresRequest.safeParse(query);
  expect(parsed.success ? '' : parsed.error.issues.map((issue) => issue.message).join()).toContain(reason);
});

test.each([
  // Clocks went forward on the 8th: it has 23 hours.
  ['yesterday', 'day_before', '2026-03-08T05:00Z', '2026-03-09T04:00Z', '2026-03-07T05:00Z', '2026-03-08T05:00Z'],
  ['today', 'day_before', '2026-03-09T04:00Z', '2026-03-09T16:00Z', '2026-03-08T05:00Z', '2026-03-08T16:00Z'],
  ['today', 'week_before', '2026-03-09T04:00Z', '2026-03-09T16:00Z', '2026-03-02T05:00Z', '2026-03-02T17:00Z'],
  ['today', 'period_before', '2026-03-09T04:00Z', '2026-03-09T16:00Z', '2026-03-08T16:00Z', '2026-03-09T04:00Z'],
] as const)('%s is compared with %s, although the clocks change between them', (period, compareWith, ...times) => {
  const request = { period, compareWith, timeZone: 'America/New_York' };
  const { requested, compared } = queriesOf(request, Date.parse('2026-03-09T16:00Z'));
  const found = [requested.from, requested.to, compared?.from, compared?.to].map((at) =>
    new Date(at ?? 0).toISOString(),
  );
  expect(found).toEqual(times.map((at) => new Date(at).toISOString()));
});
