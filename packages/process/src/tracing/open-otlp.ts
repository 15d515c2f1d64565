import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SpanFacts, Tracer } from '@tidegate/domain';
import type { RequestSpan, Tracing } from './tracing.ts';

export interface OtlpOptions {
  service: string;
  /** The URL of the collector, without `/v1/traces`. */
  endpoint: string;
  headers: Record<string, string>;
  /** The part of all traces that is exported, 0 to 1. */
  ratio: number;
}

/** If a collector is down, spans must not fill the memory or delay work. Spans beyond this queue are dropped. */
const queueLimit = 4_096;
const exportEveryMs = 1_000;
const exportWithinMs = 5_000;
const maxAttribute = 128;

const kinds = { client: SpanKind.CLIENT, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER } as const;

/** Sends traces over OTLP/HTTP. AsyncLocalStorage carries the current span. No global provider is registered. */
export function openOtlp({ service, endpoint, headers, ratio }: OtlpOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    headers,
    timeoutMillis: exportWithinMs,
    concurrencyLimit: 4,
  });
  const batches = {
    maxQueueSize: queueLimit,
    scheduledDelayMillis: exportEveryMs,
    exportTimeoutMillis: exportWithinMs,
  };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `tidegate-${service}`, 'service.namespace': 'tidegate' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanLimits: { attributeValueLengthLimit: maxAttribute },
    spanProcessors: [new BatchSpanProcessor({ exporter, ...batches })],
  });
  const spans = provider.getTracer('tidegate');
  const running = new AsyncLocalStorage<Span>();

  const begin = ({ name, kind, under, linkedTo, startedAt, attributes = {} }: SpanFacts): Span | null => {
    const parent = contextOf(under) ?? running.getStore()?.spanContext() ?? null;
    if (parent === null) return null;
    const linked = contextOf(linkedTo);
    const links: Link[] = linked ? [{ context: linked }] : [];
    const options = {
      kind: kind ? kinds[kind] : SpanKind.INTERNAL,
      attributes: { ...attributes },
      links,
      ...(startedAt !== undefined && { startTime: Math.min(startedAt, Date.now()) }),
    };
    return spans.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, parent));
  };
  const tracer: Tracer = {
    current: () => traceparentOf(running.getStore()),
    span: (facts, work) => {
      const span = begin(facts);
      return span
        ? runAndEnd(span, () => running.run(span, work, (more) => void span.setAttributes({ ...more })))
        : work(() => undefined);
    },
    past: (facts) => {
      const span = begin(facts);
      span?.end();
      return traceparentOf(span ?? undefined);
    },
  };
  return {
    tracer,
    begin: (name, attributes): RequestSpan => {
      const span = spans.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...attributes } }, ROOT_CONTEXT);
      return {
        traceId: span.spanContext().traceId,
        run: (work) => running.run(span, work),
        end: (more, isFailure) => {
          span.setAttributes({ ...more });
          if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    traceId: () => running.getStore()?.spanContext().traceId,
    // The shutdown must succeed even if the collector is down.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** Runs `work` and ends the span. Of an error only the name is exported, because its text may contain values. */
async function runAndEnd<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}

function contextOf(traceparent: string | null | undefined): SpanContext | null {
  const context = traceparent ? parseTraceParent(traceparent) : null;
  return context && { ...context, isRemote: true };
}

function traceparentOf(span: Span | undefined): string | null {
  if (!span) return null;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
