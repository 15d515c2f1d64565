import type { PoolClient } from 'pg';
import { openTestDomain } from '../src/testing/index.ts';
import { aTopUp } from '../src/testing/payins.ts';

// A process that books a wallet once, and stops itself within the transaction: by SIGSTOP or SIGKILL, when it sends the
// first statement that begins with `at`. Says what became of the booking, if it wakes up.

const [url = '', merchantId = '', bookingNo = '', signal = '', at = ''] = process.argv.slice(2);
const { domain, close } = await openTestDomain(url, { hasChannel: true, batchesAtOnce: 1 });
let isStopped = false;
const watched = new WeakSet<PoolClient>();
domain.database.pool.on('acquire', (client: PoolClient) => {
  if (watched.has(client)) return;
  watched.add(client);
  const query = client.query.bind(client) as (...values: unknown[]) => unknown;
  const stopped = (config: string | { text: string }, ...rest: unknown[]): unknown => {
    const { text } = typeof config === 'string' ? { text: config } : config;
    if (!isStopped && text.startsWith(at)) {
      isStopped = true;
      process.kill(process.pid, signal);
    }
    return query(config, ...rest);
  };
  client.query = stopped as PoolClient['query'];
});
// A session that the server has ended says so while nothing is asked.
domain.database.pool.on('error', () => undefined);
const booked = await domain.commit(aTopUp(merchantId, bookingNo, '5.00')).then(
  ({ ok }) => (ok ? 'booked' : 'rejected'),
  () => 'unavailable',
);
process.send?.(booked);
await close();
process.disconnect?.();
