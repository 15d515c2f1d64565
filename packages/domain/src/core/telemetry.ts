import type { Log, Observer } from './log.ts';
import type { Tracer } from './tracer.ts';

/** Where the domain reports its logs, metrics and traces. */
export interface Telemetry {
  log: Log;
  observer: Observer;
  tracer: Tracer;
}
