import { afterEach, test } from 'vitest';
import { checkChangesOnCluster } from '../test/listen-on-cluster.ts';
import { startOwnCluster } from '../test/own-cluster.ts';
import { closeAfterTest, closeAll } from '../test/test-listener.ts';

afterEach(closeAll);

test('on a cluster changes are received from every node, and again after any node has hung', {
  timeout: 120_000,
}, async () => {
  const cluster = await startOwnCluster();
  closeAfterTest(() => cluster.remove());
  await checkChangesOnCluster(cluster, cluster.masters);
});
