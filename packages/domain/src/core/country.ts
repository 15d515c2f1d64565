/**
 * The countries that the service works in, each with the one currency bound to it (contract "What the service does").
 * Every folder in `countries/` adds its own entry by `declare module`: the compiler knows all codes, and the core imports no country.
 */
// biome-ignore lint/suspicious/noEmptyInterface: its entries are in the countries' folders
export interface CountryCurrencies {}

/** ISO 3166-1 alpha-2. */
export type Country = keyof CountryCurrencies;
/** ISO 4217. */
export type Currency = CountryCurrencies[Country];

/** The merchant that holds a country's money without an order. It has no keys, so no request can be signed for it. */
export function platformMerchantOf(country: string): string {
  return `PLATFORM-${country}`;
}

/** Whether it is the platform tenant of a country. It has no orders. */
export function isPlatformTenant(merchantId: string): boolean {
  return merchantId.startsWith('PLATFORM-');
}
