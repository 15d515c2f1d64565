import { expect, test } from 'vitest';
import { domainMetrics } from './domain-metrics.ts';
import { openMetrics } from './open-metrics.ts';

test('every process reports the same domain metrics under the same names', async () => {
  for (const process of ['rest-adapter', 'api', 'worker'] as const) {
    const metrics = openMetrics(process);
    const { observer, watch } = domainMetrics(metrics);
    const query = async () => ({ rows: [{ timeline: 4, isSynchronous: true }] });
    const pool = { totalCount: 7, idleCount: 3, waitingCount: 2, options: { max: 20 }, query };
    watch({ database: { pool } } as unknown as Parameters<typeof watch>[0]);
    observer.batch({ size: 30, waitedMs: 2, tookMs: 20 });
    observer.orderMoved({ kind: 'payin', country: 'TH', to: 'partial_paid' });
    observer.channelCall({ channelId: 'bank', operation: 'create', outcome: 'accepted', ms: 40 });
    const { text } = await metrics.read();
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'tidegate_ledger_writer_batch_commands_sum 30',
        'tidegate_ledger_writer_wait_seconds_sum 0.002',
        'tidegate_ledger_writer_transaction_seconds_sum 0.02',
        'tidegate_seam_batch_commands_sum 30',
        'tidegate_seam_wait_seconds_sum 0.002',
        'tidegate_seam_transaction_seconds_sum 0.02',
        'tidegate_order_transitions_total{kind="payin",country="TH",to="partial_paid"} 1',
        'tidegate_channel_call_duration_seconds_sum{channel="bank",operation="create",outcome="accepted"} 0.04',
        'tidegate_database_connections{state="used"} 4',
        'tidegate_database_connections{state="idle"} 3',
        'tidegate_database_connections{state="waiting"} 2',
        'tidegate_database_connections_limit 20',
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
