import type { ChannelOrder } from '@tidegate/domain/channels';

/** How a create (or submit) is answered. */
export type CreateRule =
  | 'works'
  | 'refused'
  | 'lost_before_acceptance'
  | 'first_lost_before_acceptance'
  | 'lost_after_acceptance'
  | 'two_server_errors';

/** An event of an order, counted from its acceptance. */
export interface Step {
  afterSeconds: number;
  becomes: 'paid' | 'part_paid' | 'failed' | 'timed_out' | 'returned';
  /**
   * The paid amount. `half` is rounded down to cents; `rest` completes it exactly; `one_less` is 1.00 less, or 0.01 if
   * the amount is at most 1.00.
   */
  pays?: 'whole' | 'half' | 'rest' | 'one_less';
  reason?: string;
}

/**
 * Who is informed of it. Polling always returns the truth. `thrice_then_older`: each callback three times, and then one
 * that says pending.
 */
export type ReportRule = 'callback' | 'polling_only' | 'thrice_then_older';

export interface Scenario {
  create: CreateRule;
  steps: readonly Step[];
  report: ReportRule;
}

const PAID: Step = { afterSeconds: 1, becomes: 'paid', pays: 'whole' };
const HALF: Step = { afterSeconds: 1, becomes: 'part_paid', pays: 'half' };
const FAILED: Step = { afterSeconds: 1, becomes: 'failed', reason: 'failed in the sandbox' };
const TIMED_OUT: Step = { afterSeconds: 1, becomes: 'timed_out', reason: 'not paid in time' };
const RETURNED: Step = { afterSeconds: 3, becomes: 'returned', reason: 'returned by the bank' };

export interface ScenarioRow extends Partial<Scenario> {
  /** The last two digits of the amount. */
  cents: string;
  kind?: ChannelOrder['kind'];
  country?: string;
}

/** The scenario table. The first row that matches an order is used. Missing fields are as in ORDINARY. */
export const scenarioTable: readonly ScenarioRow[] = [
  { cents: '11', create: 'refused', steps: [] },
  { cents: '12', kind: 'payin', create: 'lost_before_acceptance', steps: [] },
  { cents: '12', kind: 'payout', create: 'first_lost_before_acceptance' },
  { cents: '13', create: 'lost_after_acceptance', steps: [{ ...PAID, afterSeconds: 12 }] },
  { cents: '14', create: 'two_server_errors' },
  { cents: '21', steps: [FAILED] },
  { cents: '22', steps: [TIMED_OUT] },
  { cents: '23', steps: [] },
  { cents: '24', report: 'polling_only' },
  { cents: '25', report: 'thrice_then_older' },
  { cents: '31', kind: 'payin', country: 'TH', steps: [HALF, { afterSeconds: 3, becomes: 'paid', pays: 'rest' }] },
  { cents: '32', kind: 'payin', country: 'TH', steps: [HALF, { ...TIMED_OUT, afterSeconds: 3 }] },
  { cents: '32', kind: 'payin', steps: [TIMED_OUT] },
  { cents: '41', kind: 'payin', steps: [PAID, { ...PAID, afterSeconds: 3 }] },
  { cents: '41', kind: 'payout', steps: [PAID, RETURNED] },
  { cents: '42', kind: 'payin', steps: [TIMED_OUT, { ...PAID, afterSeconds: 3 }] },
  { cents: '51', kind: 'payin', steps: [{ ...PAID, pays: 'one_less' }] },
];

const ORDINARY: Scenario = { create: 'works', steps: [PAID], report: 'callback' };

/** The scenario of an order, by the last two digits of its amount. */
export function scenarioOf(order: { kind: ChannelOrder['kind']; country: string; amount: string }): Scenario {
  const row = scenarioTable.find(
    ({ cents, kind, country }) =>
      order.amount.endsWith(`.${cents}`) &&
      (kind === undefined || kind === order.kind) &&
      (country === undefined || country === order.country),
  );
  return { ...ORDINARY, ...row };
}
