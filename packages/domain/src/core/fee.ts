import { Money } from './money.ts';

/** What a merchant pays for an order: `percent` of the amount plus `fixed`, kept within `minimum` and `maximum`. All decimal text. */
export interface FeeTerms {
  percent: string;
  fixed: string;
  minimum?: string;
  maximum?: string;
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

/** A merchant's fee rule; one without `bankCode` is for every code that has none of its own. */
export interface FeeRule extends FeeTerms {
  kind: 'payin' | 'payout';
  bankCode?: string;
}

/** The terms in force for an order: the bank code's own rule before the general one; null where the merchant has neither. */
export function feeTermsFor(
  rules: readonly FeeRule[],
  kind: 'payin' | 'payout',
  bankCode: string | null,
): FeeTerms | null {
  const ofKind = rules.filter((rule) => rule.kind === kind);
  const rule = ofKind.find((r) => r.bankCode === bankCode) ?? ofKind.find((r) => r.bankCode === undefined);
  if (!rule) return null;
  const { percent, fixed, minimum, maximum } = rule;
  return { percent, fixed, ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}
