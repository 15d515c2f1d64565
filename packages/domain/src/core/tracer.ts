/** What a span is about. Attributes are ids and outcomes, never personal data, keys or signatures. */
export interface SpanFacts {
  name: string;
  /** Default: a step within the process. `client` asks another system, `producer` hands work on, `consumer` takes it. */
  kind?: 'client' | 'producer' | 'consumer';
  /** The span that it is below, as W3C traceparent of a row or a job; left out or null: the one that runs here. */
  under?: string | null;
  /** Another span that has to do with it. */
  linkedTo?: string | null;
  /** Unix milliseconds; default: now. */
  startedAt?: number;
  attributes?: SpanAttributes;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** Traces durations across processes. A span is only reported if it has a parent; there are no root spans here. */
export interface Tracer {
  /** W3C traceparent of the span that runs here; null where there is none. */
  current(): string | null;
  /** Runs `work` in a span, and ends that with it; `tell` adds what is only known later. */
  span<T>(facts: SpanFacts, work: (report: (attributes: SpanAttributes) => void) => Promise<T>): Promise<T>;
  /** Tells of a span that ends now. Gives its traceparent; null where it belongs to no trace. */
  past(facts: SpanFacts): string | null;
}

/** Where nobody asked for traces. */
export const noTracer: Tracer = {
  current: () => null,
  span: (_facts, work) => work(() => undefined),
  past: () => null,
};
