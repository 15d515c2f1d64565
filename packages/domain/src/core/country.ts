/** The countries that the service works in, each with the one currency bound to it (interface document, "What the service does"). */
export const currencyOf = { CN: 'CNY', TH: 'THB', IN: 'INR', PK: 'PKR' } as const;

export type Country = keyof typeof currencyOf;
export type Currency = (typeof currencyOf)[Country];

export const countries = Object.keys(currencyOf) as Country[];

/** The merchant for which money of a country is booked that belongs to nobody's order; nobody can sign for it. */
export function platformMerchantOf(country: string): string {
  return `PLATFORM-${country}`;
}
