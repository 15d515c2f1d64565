import { Money } from './money.ts';

/** The fee of an order: `percent` of the amount plus `fixed`, kept within `minimum` and `maximum`. All decimal text. */
export interface FeeTerms {
  percent: string;
  fixed: string;
  minimum?: string;
  maximum?: string;
  /** Whether a payout's fee is given back once the bank has returned all of it. Left out: it is kept. */
  isRefundable?: true;
}

/** The fee on `amount`: rate × amount + fixed, rounded half up to two decimals, then clamped (decisions 3.3). */
export function feeOn(amount: Money, terms: FeeTerms): Money {
  const { currency } = amount;
  const fee = amount.percentRoundedHalfUp(terms.percent, Money.of(terms.fixed, currency));
  if (terms.minimum !== undefined && fee.isLessThan(Money.of(terms.minimum, currency)))
    return Money.of(terms.minimum, currency);
  if (terms.maximum !== undefined && Money.of(terms.maximum, currency).isLessThan(fee))
    return Money.of(terms.maximum, currency);
  return fee;
}

/** A merchant's fee rule. Without `bankCode` it is for every code that has no rule of its own. */
export interface FeeRule extends FeeTerms {
  kind: 'payin' | 'payout';
  bankCode?: string;
  /** The beginning, in Unix ms; left out: in force from the start. The newest rule that has begun is in force. */
  from?: number;
}

/** Terms in force from a moment on (Unix ms), until the next ones begin. */
export interface FeeStep {
  from: number;
  terms: FeeTerms;
}

/** Before all moments. */
const ever = Number.NEGATIVE_INFINITY;

/**
 * The terms in force for an order at a moment. The bank code's own rule wins over the general one. Null if there is
 * neither.
 */
export function feeTermsFor(
  rules: readonly FeeRule[],
  kind: 'payin' | 'payout',
  bankCode: string | null,
  at: number = ever,
): FeeTerms | null {
  const inForce = (code: string | null | undefined): FeeRule | null => {
    let newest: FeeRule | null = null;
    for (const rule of rules) {
      const { from = ever } = rule;
      if (rule.kind !== kind || rule.bankCode !== code || from > at) continue;
      if (newest === null || from > (newest.from ?? ever)) newest = rule;
    }
    return newest;
  };
  const rule = inForce(bankCode) ?? inForce(undefined);
  if (!rule) return null;
  const { percent, fixed, minimum, maximum, isRefundable } = rule;
  return {
    percent,
    fixed,
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(isRefundable && { isRefundable }),
  };
}

/**
 * The terms for an order over time, the oldest first. Usually one entry without a beginning. Empty: there is no rule.
 */
export function feeSteps(
  rules: readonly FeeRule[],
  kind: 'payin' | 'payout',
  bankCode: string | null,
): readonly FeeStep[] {
  const moments = new Set<number>();
  for (const rule of rules) if (rule.kind === kind) moments.add(rule.from ?? ever);
  return [...moments]
    .sort((a, b) => a - b)
    .flatMap((from) => {
      const terms = feeTermsFor(rules, kind, bankCode, from);
      return terms ? [{ from, terms }] : [];
    });
}

/** The terms that began last at or before `at`; undefined if none has begun. */
export function stepAt(steps: readonly FeeStep[], at: number): FeeStep | undefined {
  return steps.findLast(({ from }) => from <= at);
}
