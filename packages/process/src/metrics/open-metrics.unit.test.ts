import { expect, test } from 'vitest';
import { domainMetrics } from './domain-metrics.ts';
import { openMetrics } from './open-metrics.ts';

test('every process reports the same domain metrics under the same names', async () => {
  for (const process of ['rest-adapter', 'api', 'worker'] as const) {
    const metrics = openMetrics(process);
    const { observer, watch } = domainMetrics(metrics);
    const query = async () => ({ rows: [{ timeline: 4, isSynchronous: true }] });
    const primary = { pool: 'primary', used: 4, idle: 3, waiting: 2, limit: 20 } as const;
    const seals = { pool: 'seals', used: 1, idle: 1, waiting: 0, limit: 2 } as const;
    const database = { pool: { query }, connections: () => [primary] };
    watch({ database } as unknown as Parameters<typeof watch>[0], { connections: () => [seals] });
    observer.batch({ size: 30, waitedMs: 2, tookMs: 20 });
    observer.orderMoved({ kind: 'payin', country: 'TH', to: 'partial_paid' });
    observer.channelCall({ channelId: 'bank', operation: 'create', outcome: 'accepted', ms: 40 });
    const { text } = await metrics.read();
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'tidegate_ledger_writer_batch_commands_sum 30',
        'tidegate_ledger_writer_wait_seconds_sum 0.002',
        'tidegate_ledger_writer_transaction_seconds_sum 0.02',
        'tidegate_order_transitions_total{kind="payin",country="TH",to="partial_paid"} 1',
        'tidegate_channel_call_duration_seconds_sum{channel="bank",operation="create",outcome="accepted"} 0.04',
        'tidegate_database_connections{pool="primary",state="used"} 4',
        'tidegate_database_connections{pool="primary",state="idle"} 3',
        'tidegate_database_connections{pool="primary",state="waiting"} 2',
        'tidegate_database_connections{pool="seals",state="used"} 1',
        'tidegate_database_connections{pool="seals",state="idle"} 1',
        'tidegate_database_connections_limit{pool="primary"} 20',
        'tidegate_database_connections_limit{pool="seals"} 2',
        'tidegate_database_timeline 4',
        'tidegate_database_synchronous 1',
      ]),
    );
  }
});

test('an unknown value is absent, and never the previous one', async () => {
  const metrics = openMetrics('worker');
  const answers: (number | null)[] = [3, null];
  metrics.gauge('tidegate_payouts_stuck', () => {
    const stuck = answers.shift() ?? null;
    return stuck === null ? null : [[{}, stuck]];
  });
  metrics.gauge('tidegate_queue_depth', () => Promise.reject(new Error('unavailable')));
  expect((await metrics.read()).text).toMatch(/^tidegate_payouts_stuck 3$/m);
  const { text } = await metrics.read();
  expect(text).toMatch(/^# TYPE tidegate_queue_depth gauge$/m);
  expect(text).not.toMatch(/^tidegate_(payouts_stuck|queue_depth)/m);
});

test('a process cannot create metrics that belong to another kind of process', () => {
  expect(() => openMetrics('api').counter('tidegate_redis_failures_total')).toThrow(/none of the metrics of api/);
});
