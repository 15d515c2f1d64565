import { expect, test } from 'vitest';
import { type EndedWatch, longestWatch, nextWatchAt, watchOf } from './ended-watch.ts';
import type { Order } from './order.ts';

const paidPayouts: EndedWatch = { kind: 'payout', ended: 'paid', afterHours: [6, 24, 96] };
const unpaidPayins: EndedWatch = { kind: 'payin', ended: 'unpaid', afterHours: [6] };

test.each<[Order['kind'], Order['status'], EndedWatch | null]>([
  ['payout', 'completed', paidPayouts],
  ['payout', 'failed', null],
  ['payout', 'processing', null],
  ['payin', 'timeout', unpaidPayins],
  ['payin', 'failed', unpaidPayins],
  ['payin', 'cancelled', unpaidPayins],
  ['payin', 'completed', null],
  ['payin', 'partial_paid', null],
])('a %s that is %s is watched if its channel declares it', (kind, status, expected) => {
  expect(watchOf([paidPayouts, unpaidPayins], { kind, status })).toBe(expected);
});

const hour = 3_600_000;
test.each<[string, after: number, isAnswered: boolean, scheduleScale: number, expected: number | null]>([
  ['the first query is answered: the next query is at the second planned time', 6, true, 1, 24],
  ['a planned time counts as passed after one millisecond', 24, true, 1, 96],
  ['planned times that passed in a backlog are skipped', 50, true, 1, 96],
  ['the last query is answered: no further query', 96, true, 1, null],
  ['long after the last planned time: no further query', 900, true, 1, null],
  ['no answer: the query is repeated after six hours', 6, false, 1, 12],
  ['no answer shortly before the next planned time: the next query is at that time', 22, false, 1, 24],
  ['no answer to the last query: it is repeated after six hours', 96, false, 1, 102],
  ['the last query is repeated for a day', 114, false, 1, 120],
  ['after a day the last query is not repeated', 115, false, 1, null],
  ['each planned time follows the scale of the schedule', 0.06, true, 0.01, 0.24],
  ['the wait for a retry follows the scale too', 0.96, false, 0.01, 1.02],
])('%s', (_, after, isAnswered, scheduleScale, expected) => {
  const endedAt = 1_800_000_000_000;
  const now = endedAt + Math.round(after * hour);
  const next = nextWatchAt(paidPayouts, { endedAt, now, isAnswered, scheduleScale });
  expect(next === null ? null : (next - endedAt) / hour).toEqual(
    expected === null ? null : expect.closeTo(expected, 6),
  );
});

test('a watch ends a day and a retry after its last planned time', () => {
  expect(longestWatch([unpaidPayins, paidPayouts], 1)).toBe((96 + 24 + 6) * hour);
  expect(longestWatch([unpaidPayins], 0.01)).toBe(0.36 * hour);
});
