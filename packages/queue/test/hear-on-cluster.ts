import { expect, vi } from 'vitest';
import { announcer, type Ear, ear, moved, untilHeard } from './ears.ts';
import type { OwnCluster, OwnNode } from './own-cluster.ts';

/** Changes are heard at every node, also after each of these hung for a while. */
export async function hearOnCluster(cluster: OwnCluster, hanging: readonly OwnNode[]): Promise<void> {
  const ears = [await ear(cluster.url), await ear(cluster.url), await ear(cluster.url)];
  const one = announcer(cluster.url);
  await untilHeard(one, ears, 'FIRST');
  for (let n = 0; n < 100; n += 1) {
    one.announce([moved(`PI${n}`)]);
    await new Promise(setImmediate);
  }
  const seen = ({ heard }: Ear) => heard.filter((no) => no.startsWith('PI')).length;
  await vi.waitFor(() => expect(ears.map(seen)).toEqual([100, 100, 100]), { timeout: 10_000 });
  expect(ears.map(({ lost }) => lost)).toEqual([0, 0, 0]);
  for (const node of hanging) {
    const before = ears.map(({ lost }) => lost);
    process.kill(node.pid, 'SIGSTOP');
    // Without a replica everything ends with one node, and whatever node each of them hangs on, it finds out.
    const noticed = () => ears.map(({ lost }, i) => lost > (before[i] ?? 0));
    await vi.waitFor(() => expect(noticed()).toEqual([true, true, true]), { timeout: 20_000 });
    process.kill(node.pid, 'SIGCONT');
    await cluster.whole();
    await vi.waitFor(() => expect(ears.map((one) => one.isHearing())).toEqual([true, true, true]), { timeout: 20_000 });
    await untilHeard(one, ears, `AFTER-${node.pid}`);
  }
}
