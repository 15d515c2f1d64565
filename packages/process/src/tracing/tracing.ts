import type { SpanAttributes, Tracer } from '@tidegate/domain';

/** The root span of a request. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs `work` within the span. Asynchronous work that it starts belongs to the span too. */
  run(work: () => void): void;
  /** Ends the span. `isFailure`: the fault was in this service. */
  end(attributes: SpanAttributes, isFailure: boolean): void;
}

/** The traces of one process. */
export interface Tracing {
  /** For the domain. Absent without tracing. */
  tracer?: Tracer;
  /**
   * Begins a trace; null without tracing. A traceparent header of the caller is ignored, because merchants are
   * untrusted.
   */
  begin(name: string, attributes: SpanAttributes): RequestSpan | null;
  /** The trace id of the current work, for the log; undefined outside of a trace. */
  traceId(): string | undefined;
  /** Sends the remaining spans and closes. */
  close(): Promise<void>;
}

export const noTracing: Tracing = { begin: () => null, traceId: () => undefined, close: async () => undefined };
