import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminFixture } from '../test/admin-fixture.ts';
import { COMMANDS_WITH_STEPS, type CommandTries, openTries } from '../test/command-tries.ts';
import { configuration } from '../test/configuration-tries.ts';
import { placeOrders } from '../test/orders.ts';
import { decisions, money, people, type Try, tasks } from '../test/tries.ts';
import { commands } from './commands/index.ts';

// Every command once with success and once refused, on one database. Each leaves what the next ones need.

let fixture: AdminFixture;
let known: CommandTries['known'];
let tried: CommandTries['tried'];
let attempt: CommandTries['attempt'];
beforeAll(async () => {
  ({ fixture, known, tried, attempt } = await openTries());
});
afterAll(() => fixture.close());

test.each<[string, Try[], (() => Promise<void>)?]>([
  ['merchants and channels are set up', configuration],
  ['operators and their tokens come and go', people],
  ['money is booked once, large sums by two', money],
  ['a task goes from the market to an accepted proof', tasks, () => placeOrders(fixture, known)],
  ['orders, cases and stuck payouts are decided', decisions],
])('%s', { timeout: 120_000 }, async (_, tries, prepare) => {
  await prepare?.();
  for (const one of tries) await attempt(one);
});

test('every command except check-database was run once with success and once with a refusal', () => {
  const names = commands.flatMap(({ name }) => (name === 'check-database' ? [] : [name])).sort();
  // The other file proves that it runs its commands.
  for (const ran of [tried.well, tried.badly])
    expect([...ran.union(new Set(COMMANDS_WITH_STEPS))].sort()).toEqual(names);
});
