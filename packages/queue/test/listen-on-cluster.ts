import { expect, vi } from 'vitest';
import type { OwnCluster, OwnNode } from './own-cluster.ts';
import { announcer, completedOrder, openTestListener, type TestListener, untilReceived } from './test-listener.ts';

/** Changes are received at every node, also after each node has hung for a while. */
export async function checkChangesOnCluster(cluster: OwnCluster, hanging: readonly OwnNode[]): Promise<void> {
  const listeners = [
    await openTestListener(cluster.url),
    await openTestListener(cluster.url),
    await openTestListener(cluster.url),
  ];
  const one = announcer(cluster.url);
  await untilReceived(one, listeners, 'FIRST');
  for (let n = 0; n < 100; n += 1) {
    one.announce([completedOrder(`PI${n}`)]);
    await new Promise(setImmediate);
  }
  const seen = ({ received }: TestListener) => received.filter((no) => no.startsWith('PI')).length;
  await vi.waitFor(() => expect(listeners.map(seen)).toEqual([100, 100, 100]), { timeout: 10_000 });
  expect(listeners.map(({ lost }) => lost)).toEqual([0, 0, 0]);
  for (const node of hanging) {
    const before = listeners.map(({ lost }) => lost);
    process.kill(node.pid, 'SIGSTOP');
    // Without a replica one dead node stops everything, and each listener notices, whatever its node is.
    const noticed = () => listeners.map(({ lost }, i) => lost > (before[i] ?? 0));
    await vi.waitFor(() => expect(noticed()).toEqual([true, true, true]), { timeout: 20_000 });
    process.kill(node.pid, 'SIGCONT');
    await cluster.whole();
    await vi.waitFor(() => expect(listeners.map((one) => one.isListening())).toEqual([true, true, true]), {
      timeout: 20_000,
    });
    await untilReceived(one, listeners, `AFTER-${node.pid}`);
  }
}
