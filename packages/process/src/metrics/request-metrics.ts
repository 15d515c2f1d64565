import type { Metrics } from './open-metrics.ts';

/** An answered request. `route` is the template, never the path. */
export interface AnsweredRequest {
  method: string;
  route: string;
  code: number;
  /** The country of the merchant; absent if no signature was verified. */
  country?: string | undefined;
  seconds: number;
}

const usualMethods: readonly string[] = ['GET', 'HEAD', 'POST'];

/**
 * Records each request and how long it took. Unusual HTTP methods are recorded as `other`, because untrusted callers
 * must not invent label values.
 */
export function requestMetrics(metrics: Metrics): (request: AnsweredRequest) => void {
  const requests = metrics.histogram('tidegate_http_request_duration_seconds');
  return ({ method, route, code, country = 'none', seconds }) =>
    requests.observe({ method: usualMethods.includes(method) ? method : 'other', route, code, country }, seconds);
}
