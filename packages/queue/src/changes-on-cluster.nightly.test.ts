import { afterEach, test } from 'vitest';
import { closeAfterTest, closeAll } from '../test/ears.ts';
import { hearOnCluster } from '../test/hear-on-cluster.ts';
import { startOwnCluster } from '../test/own-cluster.ts';

afterEach(closeAll);

test('on a cluster changes are heard again whatever node hung and came back', { timeout: 120_000 }, async () => {
  const cluster = await startOwnCluster();
  closeAfterTest(() => cluster.remove());
  await hearOnCluster(cluster, cluster.masters);
});
