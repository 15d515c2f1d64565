import type { Tracer } from '@tidegate/domain';
import type { QueueName } from '@tidegate/queue';
import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';

/** The trace data of a job. Jobs of untraced rows have none. */
const traced = z.object({ traceparent: boundedText(256), dueAt: z.number(), orderNo: boundedText(256) });

/**
 * Runs a job in the trace of the order that made it due. Below the span that wrote the row is a span for the time in
 * the queue, and below that the job.
 */
export async function inTrace(
  tracer: Tracer,
  queue: QueueName,
  data: unknown,
  run: () => Promise<string>,
): Promise<string> {
  const read = traced.safeParse(data);
  if (!read.success) return run();
  const { traceparent, dueAt, orderNo } = read.data;
  const attributes = {
    'messaging.system': 'bullmq',
    'messaging.destination.name': queue,
    'tidegate.order_no': orderNo,
  };
  const waited = tracer.past({
    name: `queue ${queue}`,
    kind: 'producer',
    under: traceparent,
    startedAt: dueAt,
    attributes,
  });
  return tracer.span({ name: `job ${queue}`, kind: 'consumer', under: waited, attributes }, async (setAttributes) => {
    const outcome = await run();
    setAttributes({ 'tidegate.outcome': outcome });
    return outcome;
  });
}
