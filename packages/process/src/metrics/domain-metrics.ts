import { type Domain, type Observer, readServerState } from '@tidegate/domain';
import { cachedReading } from './cached-reading.ts';
import type { Metrics } from './open-metrics.ts';

export interface DomainMetrics {
  /** Receives the domain's measurements: ledger batches, order transitions, calls to channels, reads. */
  observer: Required<Observer>;
  /** Adds the metrics that are read from an open domain. */
  watch(domain: Pick<Domain, 'database'>): void;
}

const STATE_KEPT_MS = 5_000;

/** The domain's metrics, with the same names in each process that uses the domain. */
export function domainMetrics(metrics: Metrics): DomainMetrics {
  const batches = [
    {
      commands: metrics.histogram('tidegate_ledger_writer_batch_commands'),
      waits: metrics.histogram('tidegate_ledger_writer_wait_seconds'),
      transactions: metrics.histogram('tidegate_ledger_writer_transaction_seconds'),
    },
    // The former names of the same metrics, kept for one release (docs/running/upgrading.md).
    {
      commands: metrics.histogram('tidegate_seam_batch_commands'),
      waits: metrics.histogram('tidegate_seam_wait_seconds'),
      transactions: metrics.histogram('tidegate_seam_transaction_seconds'),
    },
  ];
  const transitions = metrics.counter('tidegate_order_transitions_total');
  const calls = metrics.histogram('tidegate_channel_call_duration_seconds');
  const forbidden = metrics.counter('tidegate_channel_forbidden_total');
  const unusable = metrics.counter('tidegate_channel_callbacks_unusable_total');
  const reads = metrics.counter('tidegate_reads_total');
  return {
    observer: {
      batch: ({ size, waitedMs, tookMs }) => {
        for (const { commands, waits, transactions } of batches) {
          commands.observe(size);
          waits.observe(waitedMs / 1000);
          transactions.observe(tookMs / 1000);
        }
      },
      orderMoved: ({ kind, country, to }) => transitions.inc({ kind, country, to }),
      channelCall: ({ channelId, operation, outcome, ms }) =>
        calls.observe({ channel: channelId, operation, outcome }, ms / 1000),
      channelForbidden: (channelId) => forbidden.inc({ channel: channelId }),
      callbackUnusable: ({ channelId, reason }) => unusable.inc({ channel: channelId, reason }),
      read: (from) => reads.inc({ from }),
    },
    watch: ({ database: { pool } }) => {
      metrics.gauge('tidegate_database_connections', () => [
        [{ state: 'used' }, pool.totalCount - pool.idleCount],
        [{ state: 'idle' }, pool.idleCount],
        [{ state: 'waiting' }, pool.waitingCount],
      ]);
      metrics.gauge('tidegate_database_connections_limit', () => [[{}, pool.options.max]]);
      const state = cachedReading(() => readServerState(pool), { keptMs: STATE_KEPT_MS });
      metrics.gauge('tidegate_database_timeline', async () => {
        const read = await state();
        return read && [[{}, read.timeline]];
      });
      metrics.gauge('tidegate_database_synchronous', async () => {
        const read = await state();
        return read && [[{}, read.isSynchronous ? 1 : 0]];
      });
    },
  };
}
