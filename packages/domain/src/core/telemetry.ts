import type { Log, Observer } from './log.ts';
import type { Tracer } from './tracer.ts';

/** Where verbs report what they do. */
export interface Telemetry {
  log: Log;
  observer: Observer;
  tracer: Tracer;
}
