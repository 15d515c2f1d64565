import { type Country, type Currency, countryDefinitions, type OrderKind, type OrderStatus } from '@tidegate/domain';
import type { Role } from '@tidegate/domain/operators';
import { builder } from './builder.ts';

export const OrderKindEnum = builder.enumType('OrderKind', {
  description: 'Which way the money of an order goes.',
  values: {
    PAYIN: { value: 'payin', description: 'Money comes in, from a payer.' },
    PAYOUT: { value: 'payout', description: 'Money goes out, to a payee.' },
  } as const satisfies EnumValues<OrderKind>,
});

export const OrderStatusEnum = builder.enumType('OrderStatus', {
  description: 'Where an order stands. COMPLETED, FAILED, TIMEOUT and CANCELLED are ends.',
  values: {
    CREATED: { value: 'created', description: 'In the ledger, not yet taken by a channel.' },
    MARKET_AVAILABLE: { value: 'market_available', description: 'Payout PK: listed on the task market.' },
    PROCESSING: { value: 'processing', description: 'A channel or a task taker is at it.' },
    PARTIAL_PAID: { value: 'partial_paid', description: 'Payin TH: part of the money came.' },
    COMPLETED: { value: 'completed', description: 'Paid in full and booked.' },
    FAILED: { value: 'failed', description: 'The channel refused or failed it.' },
    TIMEOUT: { value: 'timeout', description: 'TH, IN: ended unpaid.' },
    CANCELLED: { value: 'cancelled', description: 'Called off; CN, PK payin: also ended unpaid.' },
  } as const satisfies EnumValues<OrderStatus>,
});

export const CountryEnum = builder.enumType('Country', {
  description: 'A country that the service works in, by its ISO 3166-1 code.',
  values: valuesOf<Country>(countryDefinitions.map(({ code, name }) => [code, name])),
});

export const CurrencyEnum = builder.enumType('Currency', {
  description: 'A currency by its ISO 4217 code; each country has one.',
  values: valuesOf<Currency>(countryDefinitions.map(({ currency, currencyName }) => [currency, currencyName])),
});

export const RoleEnum = builder.enumType('Role', {
  description: 'What an operator may do. None contains another: an operator has any number of them.',
  values: {
    VIEWER: { value: 'viewer', description: 'Sees everything but personal data.' },
    SUPPORT: { value: 'support', description: 'Helps merchants: asks channels again, sends notifications again.' },
    OPERATOR: { value: 'operator', description: 'Works on orders and on the task market.' },
    FINANCE: { value: 'finance', description: 'Moves money: wallets, cases, stuck payouts, fees.' },
    ADMIN: { value: 'admin', description: 'Sets everything up: merchants, keys, channels, operators.' },
  } as const satisfies EnumValues<Role>,
});

export const RouteModeEnum = builder.enumType('RouteMode', {
  description: 'How the orders of a route are carried.',
  values: {
    UPSTREAM: { value: 'upstream', description: 'A channel carries them by its own interface.' },
    MARKET: { value: 'market', description: 'Payout PK: operators pay them from the task market.' },
    MANUAL: { value: 'manual', description: 'Payin TH: an operator confirms the funds that came in.' },
  } as const,
});

export const PayoutOutcomeEnum = builder.enumType('PayoutOutcome', {
  description: 'How a stuck payout ended, by evidence.',
  values: {
    PAID: { value: 'paid', description: 'The payee has the money.' },
    FAILED: { value: 'failed', description: 'The money never left; it goes back to the wallet.' },
  } as const,
});

export const SortDirection = builder.enumType('SortDirection', {
  description: 'Which end of a list comes first.',
  values: {
    NEWEST_FIRST: { value: 'newest', description: 'What came last comes first.' },
    OLDEST_FIRST: { value: 'oldest', description: 'What came first comes first.' },
  } as const,
});

/** Exactly one value per member of the domain's union. */
type EnumValues<Values extends string> = {
  [Value in Values as Uppercase<Value>]: { value: Value; description: string };
};

/** Values that are called in GraphQL as they are in the domain, from pairs of value and description. */
function valuesOf<Value extends string>(rows: readonly (readonly [Value, string])[]) {
  return Object.fromEntries(rows.map(([value, description]) => [value, { value, description }])) as {
    [V in Value]: { value: V; description: string };
  };
}
