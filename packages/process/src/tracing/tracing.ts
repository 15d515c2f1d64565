import type { SpanAttributes, Tracer } from '@tidegate/domain';

/** The span of one request, with which a trace begins. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs `work`, and whatever follows from it, in the span. */
  run(work: () => void): void;
  /** Ends it. `isFailure`: this service could not do what it was asked. */
  end(attributes: SpanAttributes, isFailure: boolean): void;
}

/** The traces of one process. */
export interface Tracing {
  /** For the domain; left out where nothing is traced. */
  tracer?: Tracer;
  /** Begins a trace; null where nothing is traced. A caller's own traceparent is ignored: merchants are untrusted. */
  begin(name: string, attributes: SpanAttributes): RequestSpan | null;
  /** Of what runs here, for the log; undefined where that belongs to no trace. */
  traceId(): string | undefined;
  /** Sends what has not been sent yet. */
  close(): Promise<void>;
}

export const noTracing: Tracing = { begin: () => null, traceId: () => undefined, close: async () => undefined };
