import type { Country, Currency } from '../core/country.ts';
import type { OrderRules } from '../core/state.ts';
import { type TransitionRule, tableOfTransitions } from '../core/transitions.ts';
import { china } from './cn/index.ts';
import type { CountryDefinition } from './definition.ts';
import { india } from './in/index.ts';
import { pakistan } from './pk/index.ts';
import { thailand } from './th/index.ts';

/** All countries. A new country is a folder and a line here (docs/developers/add-a-country.md). */
export const countryDefinitions: readonly CountryDefinition[] = [china, thailand, india, pakistan];

/** The codes of all countries. */
export const countries: readonly Country[] = countryDefinitions.map(({ code }) => code);

/** The definition of each country, by its code. */
export const countryRules = Object.fromEntries(
  countryDefinitions.map((definition) => [definition.code, definition]),
) as Record<Country, CountryDefinition>;

/** The currency of each country. */
export const currencyOf = Object.fromEntries(
  countryDefinitions.map(({ code, currency }) => [code, currency]),
) as Readonly<Record<Country, Currency>>;

/** What phone numbers of all countries may begin with. */
export const dialCodes: readonly string[] = countryDefinitions.map(({ dialCode }) => dialCode);

/** The time zone of each country's days. */
export const timeZoneOf = Object.fromEntries(
  countryDefinitions.map(({ code, timeZone }) => [code, timeZone]),
) as Readonly<Record<Country, string>>;

/** Every transition of every order. */
export const transitionRules: readonly TransitionRule[] = (['payin', 'payout'] as const).flatMap((kind) =>
  countryDefinitions.flatMap((country) =>
    (country[kind]?.transitions ?? []).map((row) => ({ kind, country: country.code, ...row })),
  ),
);

/** The rules of countries that the ledger writer needs. */
export const orderRules: OrderRules = {
  transition: tableOfTransitions(transitionRules),
  notificationRule: (kind, country) => countryRules[country][kind]?.notifications ?? { statuses: [], extraFields: [] },
};
