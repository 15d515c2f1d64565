import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { openLoad } from '../faults/order-load.ts';
import { type ProofFixture, proveOrders } from '../faults/prove-orders.ts';
import { upstreamOrders } from '../faults/upstream-book.ts';
import { watchMachineSpeed } from '../machine-speed.ts';
import { startPulse } from './pulse.ts';

/** What merchants saw while a server was replaced. */
export interface Seen {
  readonly problems: readonly string[];
  /** The longest time without an acknowledged create. */
  readonly longestGapMs: number;
  /** How many times slower than an idle one the machine was. */
  readonly slowness: number;
  readonly summary: string;
}

const clients = 2;
const recoversWithinMs = 120_000;
const endsWithinMs = 120_000;

/**
 * Creates orders of every kind while `fail` runs, until creates are acknowledged again, and then until `repair` has
 * ended. Proves of all of them what tests/faults proves.
 */
export async function underLoad(
  fixture: ProofFixture,
  prefix: string,
  { fail, repair }: { fail: () => Promise<void>; repair: () => Promise<void> },
): Promise<Seen> {
  const upstreamFrom = (await upstreamOrders(fixture)).length;
  const speed = watchMachineSpeed(async () => null);
  const load = openLoad(fixture, prefix);
  const pulse = startPulse(fixture, `${prefix}-P`);
  load.keepAsking(clients);
  const within = { timeoutMs: recoversWithinMs };
  try {
    await waitUntil('orders are acknowledged', async () => load.tally.acknowledged > 20, within);
    await fail();
    const before = pulse.acknowledged();
    await waitUntil('creates are acknowledged again', async () => pulse.acknowledged() > before + 10, within);
    await repair();
  } finally {
    await pulse.stop();
    await load.stop();
  }
  const { slowness } = speed.stop();
  const longestGapMs = pulse.longestGapMs();
  const { problems, ordersProved, repeated } = await proveOrders(fixture, {
    prefix,
    placed: [...load.placed, ...pulse.placed],
    upstreamFrom,
    refused: [],
    withinMs: endsWithinMs,
  });
  const { requests, acknowledged, unavailable, unknown } = load.tally;
  return {
    problems,
    longestGapMs,
    slowness,
    summary:
      `no create acknowledged for ${(longestGapMs / 1_000).toFixed(1)} s (machine ${slowness.toFixed(1)} times slower than idle); ` +
      `${requests} creates: ${acknowledged} acknowledged, ${unavailable} answered 50300, ${unknown} unknown; ` +
      `${ordersProved} orders ended as expected, ${repeated} notifications repeated`,
  };
}
