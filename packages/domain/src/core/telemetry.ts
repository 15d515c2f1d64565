import type { Log, Observer } from './log.ts';
import type { Tracer } from './tracer.ts';

/** Receivers of the domain's logs, metrics and traces. */
export interface Telemetry {
  log: Log;
  observer: Observer;
  tracer: Tracer;
}
