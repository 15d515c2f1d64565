import { PAYIN_DEFAULTS, type PayinTypes, type PayoutTypes } from './interface.generated.ts';

/** The countries of the service. */
export type Country = keyof PayinTypes;
/** The countries that have payouts. */
export type PayoutCountry = keyof PayoutTypes;

export function isCountry(code: string): code is Country {
  return Object.hasOwn(PAYIN_DEFAULTS, code);
}

/** For messages: `CN, TH, IN or PK`. */
export const COUNTRY_CODES = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(Object.keys(PAYIN_DEFAULTS));
