import { Decimal as DecimalJs } from 'decimal.js';
import type { Currency } from './country.ts';

/** Precision far above any sum of the ledger, so that adding never rounds. */
const Decimal = DecimalJs.clone({ precision: 60, rounding: DecimalJs.ROUND_HALF_UP, toExpNeg: -60, toExpPos: 60 });

const storedAmount = /^-?[0-9]+(\.[0-9]{1,2})?$/;
export const INPUT_AMOUNT_PATTERN = /^(0|[1-9][0-9]{0,11})(\.[0-9]{1,2})?$/;

/**
 * An amount of one currency, exact to the hundredth. Immutable. Mixing two currencies is a bug and throws. Its text
 * always has two decimals.
 */
export class Money {
  readonly currency: Currency;
  readonly #value: DecimalJs;

  private constructor(value: DecimalJs, currency: Currency) {
    this.#value = value;
    this.currency = currency;
  }

  /** Reads decimal text in the database's format; throws on anything else. */
  static of(text: string, currency: Currency): Money {
    if (!storedAmount.test(text)) throw new Error(`not an amount: ${text}`);
    return new Money(new Decimal(text), currency);
  }

  static zero(currency: Currency): Money {
    return new Money(new Decimal(0), currency);
  }

  plus(other: Money): Money {
    return new Money(this.#value.plus(this.#same(other)), this.currency);
  }

  minus(other: Money): Money {
    return new Money(this.#value.minus(this.#same(other)), this.currency);
  }

  negated(): Money {
    return new Money(this.#value.negated(), this.currency);
  }

  /** `rate` percent of this amount, rounded half up to the hundredth. `rate` is decimal text, e.g. "2.5". */
  percentRoundedHalfUp(rate: string, plus: Money): Money {
    const exact = this.#value.times(rate).times('0.01').plus(this.#same(plus));
    return new Money(exact.toDecimalPlaces(2, Decimal.ROUND_HALF_UP), this.currency);
  }

  compare(other: Money): -1 | 0 | 1 {
    return this.#value.comparedTo(this.#same(other)) as -1 | 0 | 1;
  }

  equals(other: Money): boolean {
    return this.compare(other) === 0;
  }

  isLessThan(other: Money): boolean {
    return this.compare(other) < 0;
  }

  isZero(): boolean {
    return this.#value.isZero();
  }

  isNegative(): boolean {
    return this.#value.isNegative() && !this.#value.isZero();
  }

  /** Decimal text with two decimals, never "-0.00". */
  toString(): string {
    return this.#value.isZero() ? '0.00' : this.#value.toFixed(2);
  }

  #same(other: Money): DecimalJs {
    if (other.currency !== this.currency) throw new Error(`${this.currency} does not mix with ${other.currency}`);
    return other.#value;
  }
}

/** Whether a merchant may send this text as an amount (decisions 3.1). Checks the text, not a parsed number. */
export function isInputAmount(text: string): boolean {
  return INPUT_AMOUNT_PATTERN.test(text) && /[1-9]/.test(text);
}

/** The same amount with exactly two decimals: `5` → `5.00`. The text must be an amount. */
export function withTwoDecimals(text: string): string {
  const [whole, decimals = ''] = text.split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
}

/** The sum of two amounts in decimal text, as text. */
export function signedSum(currency: Currency, a: string, b: string): string {
  return Money.of(a, currency).plus(Money.of(b, currency)).toString();
}

/** Whether one amount is above the other. Both are decimal text in the same currency. */
export function exceeds(amount: string, limit: string): boolean {
  return new Decimal(amount).greaterThan(limit);
}
