import type { Observer } from '@tidegate/domain';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** The figures of this process, and where they are read. */
export interface Metrics {
  request(seen: { method: string; route: string; code: number; seconds: number }): void;
  /** A connection whose bytes were no request, or came too slowly. */
  brokenRequest(reason: string): void;
  /** A request refused because Redis did not answer. */
  redisFailure(use: 'nonce' | 'rate-limit'): void;
  /** For the domain: batches at the write seam, calls to channels. */
  observer: Observer;
  read(): Promise<{ contentType: string; text: string }>;
}

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STEP_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Opens a registry of its own, so that two servers in one process do not add to each other's figures. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name: `tidegate_${name}`, help, labelNames, buckets, registers });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `tidegate_${name}`, help, labelNames, registers });

  const requests = histogram('http_request_seconds', 'Requests answered', ['method', 'route', 'code'], REQUEST_SECONDS);
  const broken = counter('http_broken_requests_total', 'Connections that brought no whole request', ['reason']);
  const redis = counter('redis_failures_total', 'Requests refused because Redis did not answer', ['use']);
  const size = histogram('seam_batch_size', 'Commands per transaction', [], [1, 2, 5, 10, 20, 50, 100, 200]);
  const waited = histogram('seam_wait_seconds', "Wait of a batch's first command", [], STEP_SECONDS);
  const took = histogram('seam_transaction_seconds', 'Time of a transaction', [], STEP_SECONDS);
  const calls = histogram('channel_call_seconds', 'Calls', ['channel', 'operation', 'outcome'], REQUEST_SECONDS);

  return {
    request: ({ seconds, ...labels }) => requests.observe(labels, seconds),
    brokenRequest: (reason) => broken.inc({ reason }),
    redisFailure: (use) => redis.inc({ use }),
    observer: {
      batch: (batch) => {
        size.observe(batch.size);
        waited.observe(batch.waitedMs / 1000);
        took.observe(batch.tookMs / 1000);
      },
      channelCall: ({ channelId, operation, outcome, ms }) =>
        calls.observe({ channel: channelId, operation, outcome }, ms / 1000),
    },
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
