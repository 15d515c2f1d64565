import type { SpanAttributes, Tracer } from '@tidegate/domain';

/** The span of one request, the beginning of a trace. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs `work` and everything that follows from it within the span. */
  run(work: () => void): void;
  /** Ends it. `isFailure`: this service could not process the request. */
  end(attributes: SpanAttributes, isFailure: boolean): void;
}

/** The traces of one process. */
export interface Tracing {
  /** For the domain. Absent without tracing. */
  tracer?: Tracer;
  /** Begins a trace; null without tracing. A caller's own traceparent is ignored, because merchants are untrusted. */
  begin(name: string, attributes: SpanAttributes): RequestSpan | null;
  /** The trace id of the current work, for the log; undefined outside of a trace. */
  traceId(): string | undefined;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

export const noTracing: Tracing = { begin: () => null, traceId: () => undefined, close: async () => undefined };
