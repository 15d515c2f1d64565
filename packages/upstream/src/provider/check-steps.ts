import type { CheckedStep } from '@tidegate/domain/channels';
import type { HttpResult } from './http-client.ts';

/** With a greater difference of the clocks signatures and expiries are wrong. */
const maxClockSeconds = 60;

/** Whether the provider answers at all. */
export function reachStep(result: HttpResult): CheckedStep {
  if (result.kind === 'json') return { step: 'reach', isOk: true, detail: `HTTP ${result.status}` };
  const detail = 'detail' in result ? `${result.kind}: ${result.detail}` : `HTTP ${result.status}`;
  return { step: 'reach', isOk: false, detail };
}

/** The difference of our clock from the provider's, by the `Date` among the headers of a reply. */
export function clockStep(headers: Record<string, string | string[] | undefined>): CheckedStep {
  const theirs = Date.parse(String(headers.date ?? ''));
  if (Number.isNaN(theirs)) return { step: 'clock', isOk: false, detail: 'the reply has no Date header' };
  const seconds = Math.round((Date.now() - theirs) / 1_000);
  const detail = `our clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the provider's`;
  return { step: 'clock', isOk: Math.abs(seconds) <= maxClockSeconds, detail };
}
