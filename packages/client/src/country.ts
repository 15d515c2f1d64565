/** Countries that the service works in; payouts are offered in two of them (contract "What the service does"). */
export type Country = 'CN' | 'TH' | 'IN' | 'PK';
export type PayoutCountry = 'IN' | 'PK';

/**
 * What is filled in where the request leaves it out: China and India want it, Thailand does not need it, Pakistan must not send it
 * (decisions 4).
 */
export const FILLED_IN: Readonly<Record<Country, { countryCode?: string; currency?: string }>> = {
  CN: { countryCode: 'CN', currency: 'CNY' },
  TH: {},
  IN: { countryCode: 'IN', currency: 'INR' },
  PK: {},
};
