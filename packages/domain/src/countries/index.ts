import type { Country } from '../core/country.ts';
import type { NotificationRule } from '../core/notification.ts';
import type { OrderKind } from '../core/order.ts';
import { china } from './cn/index.ts';
import type { CountryDefinition } from './definition.ts';
import { india } from './in/index.ts';
import { pakistan } from './pk/index.ts';
import { thailand } from './th/index.ts';

/** Every country that the service works in. A new country is a folder and a row here (docs/add-a-country.md). */
export const countryDefinitions: readonly CountryDefinition[] = [china, thailand, india, pakistan];

/** Every country's rules by its code. */
export const countryRules = Object.fromEntries(
  countryDefinitions.map((definition) => [definition.code, definition]),
) as Record<Country, CountryDefinition>;

/** When, and with which fields, an order's merchant is told of a status. */
export function notificationRule(kind: OrderKind, country: Country): NotificationRule {
  return countryRules[country][kind]?.notifications ?? { statuses: [], extraFields: [] };
}
