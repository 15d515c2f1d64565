import type { NotificationState } from '@tidegate/domain';
import { type Country, type Currency, countryDefinitions, type OrderKind, type OrderStatus } from '@tidegate/domain';
import type { Role } from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';

export const OrderKindEnum = builder.enumType('OrderKind', {
  description: 'Direction of the money of an order.',
  values: {
    PAYIN: { value: 'payin', description: 'Money received from a payer.' },
    PAYOUT: { value: 'payout', description: 'Money sent to a payee.' },
  } as const satisfies EnumValues<OrderKind>,
});

export const OrderStatusEnum = builder.enumType('OrderStatus', {
  description: 'Status of an order. COMPLETED, FAILED, TIMEOUT and CANCELLED are final.',
  values: {
    CREATED: { value: 'created', description: 'Recorded, not accepted by a channel yet.' },
    MARKET_AVAILABLE: { value: 'market_available', description: 'Payout in Pakistan: listed on the task market.' },
    PROCESSING: { value: 'processing', description: 'In progress at a channel, or claimed on the task market.' },
    PARTIAL_PAID: { value: 'partial_paid', description: 'Payin in Thailand: part of the amount was received.' },
    COMPLETED: { value: 'completed', description: 'Paid in full and recorded in the ledger.' },
    FAILED: { value: 'failed', description: 'Refused by the channel, or failed there.' },
    TIMEOUT: { value: 'timeout', description: 'Thailand and India: expired unpaid.' },
    CANCELLED: {
      value: 'cancelled',
      description: 'Cancelled. In China, and for payins in Pakistan, also: expired unpaid.',
    },
  } as const satisfies EnumValues<OrderStatus>,
});

export const CountryEnum = builder.enumType('Country', {
  description: 'Supported country, as ISO 3166-1 code.',
  values: valuesOf<Country>(countryDefinitions.map(({ code, name }) => [code, name])),
});

export const CurrencyEnum = builder.enumType('Currency', {
  description: 'Currency, as ISO 4217 code. Each country has one.',
  values: valuesOf<Currency>(countryDefinitions.map(({ currency, currencyName }) => [currency, currencyName])),
});

export const RoleEnum = builder.enumType('Role', {
  description: 'Role of an operator. No role includes another. An operator can have several.',
  values: {
    VIEWER: { value: 'viewer', description: 'Sees everything but personal data.' },
    SUPPORT: { value: 'support', description: 'Helps merchants: queries channels and sends notifications again.' },
    OPERATOR: { value: 'operator', description: 'Works on orders and on the task market.' },
    FINANCE: { value: 'finance', description: 'Manages money: wallets, cases and stuck payouts.' },
    ADMIN: { value: 'admin', description: 'Manages merchants, keys, channels and operators.' },
  } as const satisfies EnumValues<Role>,
});

export const RouteModeEnum = builder.enumType('RouteMode', {
  description: 'How the orders of a route are processed.',
  values: {
    UPSTREAM: { value: 'upstream', description: 'Sent to the API of the channel.' },
    MARKET: { value: 'market', description: 'Payout in Pakistan: operators pay them from the task market.' },
    MANUAL: { value: 'manual', description: 'Payin in Thailand: an operator confirms received funds.' },
  } as const,
});

export const PayoutOutcomeEnum = builder.enumType('PayoutOutcome', {
  description: 'Outcome of a stuck payout, by evidence.',
  values: {
    PAID: { value: 'paid', description: 'The payee received the money.' },
    FAILED: { value: 'failed', description: 'The money was not sent. It is released to the wallet.' },
  } as const,
});

export const AdjustmentKindEnum = builder.enumType('AdjustmentKind', {
  description: 'Account against which an adjustment of a wallet is booked.',
  values: {
    FEE: { value: 'fee', description: 'Our fees: a fee is given back, or charged.' },
    VARIANCE: { value: 'variance', description: 'Differences between the statements of a channel and the ledger.' },
    BANK: { value: 'bank', description: 'Money that moved at our bank.' },
    DISPUTE: { value: 'dispute', description: 'Disputes with payers.' },
  } as const,
});

export const ReturnWayEnum = builder.enumType('ReturnWay', {
  description: 'How the money of a case is returned.',
  values: {
    BY_HAND: { value: 'by_hand', description: 'It is back already. This only records it.' },
    BY_CHANNEL: {
      value: 'by_channel',
      description: 'The channel sends it back to the payer. Until then the case takes no other decision.',
    },
  } as const,
});

export const RefundOutcomeEnum = builder.enumType('RefundOutcome', {
  description: 'Outcome of a refund without a definite answer, by evidence.',
  values: {
    REFUNDED: { value: 'refunded', description: 'The payer has the money back. The case is returned.' },
    FAILED: { value: 'failed', description: 'Nothing was refunded. The case is open again.' },
  } as const,
});

export const SortDirection = builder.enumType('SortDirection', {
  description: 'Sort order of a list.',
  values: {
    NEWEST_FIRST: { value: 'newest', description: 'Newest entries first.' },
    OLDEST_FIRST: { value: 'oldest', description: 'Oldest entries first.' },
  } as const,
});

/** Exactly one value per member of the domain's union. */
type EnumValues<Values extends string> = {
  [Value in Values as Uppercase<Value>]: { value: Value; description: string };
};

/** Enum values with the same names as in the domain, from pairs of value and description. */
function valuesOf<Value extends string>(rows: readonly (readonly [Value, string])[]) {
  return Object.fromEntries(rows.map(([value, description]) => [value, { value, description }])) as {
    [V in Value]: { value: V; description: string };
  };
}

export const NotificationStateEnum = builder.enumType('NotificationState', {
  description: 'Delivery state of a notification.',
  values: {
    PENDING: { value: 'pending', description: 'Not delivered yet. A further attempt follows.' },
    DELIVERED: { value: 'delivered', description: 'The merchant acknowledged it.' },
    EXHAUSTED: { value: 'exhausted', description: 'All attempts failed. You can send it again.' },
  } as const satisfies Record<string, { value: NotificationState; description: string }>,
});

export const FindingOutcomeEnum = builder.enumType('FindingOutcome', {
  description: 'How a finding was closed.',
  values: {
    REPAIRED: { value: 'repaired', description: 'The error was fixed. If it is found again, a new finding is opened.' },
    ACCEPTED: { value: 'accepted', description: 'Left as it is, for a known reason.' },
  } as const,
});
