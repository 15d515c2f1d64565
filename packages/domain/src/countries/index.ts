import type { Country } from '../core/country.ts';
import type { NotificationRule } from '../core/notification.ts';
import type { OrderKind } from '../core/order.ts';
import { cn } from './cn.ts';
import { india } from './in.ts';
import { pk } from './pk.ts';
import type { CountryRules } from './rules.ts';
import { th } from './th.ts';

/** Every country's rules; a new country is a file, a row here and its rows in the transition table. */
export const countryRules: Record<Country, CountryRules> = { CN: cn, TH: th, IN: india, PK: pk };

/** When, and with which fields, an order's merchant is told of a status. */
export function notificationRule(kind: OrderKind, country: Country): NotificationRule {
  return countryRules[country][kind]?.notifications ?? { statuses: [], extraFields: [] };
}
