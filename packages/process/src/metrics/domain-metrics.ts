import {
  type ConnectionCounts,
  type Domain,
  type HasConnections,
  type Observer,
  readServerState,
} from '@tidegate/domain';
import { cachedReading } from './cached-reading.ts';
import { observePools } from './observe-pools.ts';
import type { Metrics } from './open-metrics.ts';

export interface DomainMetrics {
  /** Receives the domain's measurements: ledger batches, order transitions, calls to channels, reads. */
  observer: Required<Observer>;
  /** Adds the metrics that are read from an open domain. `others`: what else in this process has connections to PostgreSQL. */
  watch(domain: Pick<Domain, 'database'>, ...others: HasConnections[]): void;
}

const STATE_KEPT_MS = 5_000;

/** The domain's metrics, with the same names in each process that uses the domain. */
export function domainMetrics(metrics: Metrics): DomainMetrics {
  const commands = metrics.histogram('tidegate_ledger_writer_batch_commands');
  const waits = metrics.histogram('tidegate_ledger_writer_wait_seconds');
  const transactions = metrics.histogram('tidegate_ledger_writer_transaction_seconds');
  const transitions = metrics.counter('tidegate_order_transitions_total');
  const calls = metrics.histogram('tidegate_channel_call_duration_seconds');
  const forbidden = metrics.counter('tidegate_channel_forbidden_total');
  const unusable = metrics.counter('tidegate_channel_callbacks_unusable_total');
  const reads = metrics.counter('tidegate_reads_total');
  const rejected = metrics.counter('tidegate_data_rejected_total');
  const failures = metrics.counter('tidegate_handler_failures_total');
  return {
    observer: {
      batch: ({ size, waitedMs, tookMs }) => {
        commands.observe(size);
        waits.observe(waitedMs / 1000);
        transactions.observe(tookMs / 1000);
      },
      orderMoved: ({ kind, country, to }) => transitions.inc({ kind, country, to }),
      channelCall: ({ channelId, operation, outcome, ms }) =>
        calls.observe({ channel: channelId, operation, outcome }, ms / 1000),
      channelForbidden: (channelId) => forbidden.inc({ channel: channelId }),
      callbackUnusable: ({ channelId, reason }) => unusable.inc({ channel: channelId, reason }),
      read: (from) => reads.inc({ from }),
      dataRejected: (source, problem) => rejected.inc({ source, problem }),
      handlerFailed: (handler) => failures.inc({ handler }),
      ...observePools(metrics),
    },
    watch: ({ database }, ...others) => {
      const { pool } = database;
      const counts = (): ConnectionCounts[] => [database, ...others].flatMap((one) => one.connections());
      metrics.gauge('tidegate_database_connections', () =>
        counts().flatMap(({ pool, used, idle, waiting }) => [
          [{ pool, state: 'used' }, used],
          [{ pool, state: 'idle' }, idle],
          [{ pool, state: 'waiting' }, waiting],
        ]),
      );
      metrics.gauge('tidegate_database_connections_limit', () => counts().map(({ pool, limit }) => [{ pool }, limit]));
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
