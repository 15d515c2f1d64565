/** What a span is about. Attributes are ids and outcomes, never personal data, keys or signatures. */
export interface SpanFacts {
  name: string;
  /** Default: a step within the process. `client` asks another system, `producer` hands work on, `consumer` takes it. */
  kind?: 'client' | 'producer' | 'consumer';
  /** The parent span, as W3C traceparent of a row or a job. Left out or null: the current span. */
  under?: string | null;
  /** A related span. */
  linkedTo?: string | null;
  /** Unix milliseconds; default: now. */
  startedAt?: number;
  attributes?: SpanAttributes;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** Traces durations across processes. A span is only reported if it has a parent; there are no root spans here. */
export interface Tracer {
  /** W3C traceparent of the current span; null if there is none. */
  current(): string | null;
  /** Runs `work` in a span that ends with it. `report` adds attributes that are only known later. */
  span<T>(facts: SpanFacts, work: (report: (attributes: SpanAttributes) => void) => Promise<T>): Promise<T>;
  /** Reports a span that ends now. Returns its traceparent; null if it belongs to no trace. */
  past(facts: SpanFacts): string | null;
}

/** For use without tracing. */
export const noTracer: Tracer = {
  current: () => null,
  span: (_facts, work) => work(() => undefined),
  past: () => null,
};
