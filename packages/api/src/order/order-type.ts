import {
  type Country,
  type Currency,
  currencyOf,
  type Order,
  type OrderKind,
  type OrderStatus,
} from '@tidegate/domain';
import { builder } from '../builder.ts';

/** An order of either kind, as the domain has it. */
export const OrderInterface = builder.interfaceRef<Order>('Order').implement({
  description: 'A payin or a payout. All its amounts are in its `currency`.',
  resolveType: ({ kind }) => typeNames[kind],
  fields: (t) => ({
    orderNo: t.exposeString('orderNo', { description: 'The service order number, begins with PI or PO.' }),
    merchantNo: t.exposeString('merchantId', { description: 'The number of the merchant that the order belongs to.' }),
    merchantOrderNo: t.exposeString('merchantOrderNo', { description: "The merchant's own number of the order." }),
    kind: t.expose('kind', { type: OrderKindEnum, description: 'Whether money comes in or goes out.' }),
    country: t.expose('country', { type: CountryEnum, description: 'The country whose rules the order follows.' }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'The currency of every amount of the order.' }),
    status: t.expose('status', { type: OrderStatusEnum, description: 'Where the order stands now.' }),
    amount: t.expose('amount', {
      type: 'Decimal',
      description: 'What the payer pays or the payee gets, in `currency`.',
    }),
    feeAmount: t.expose('feeAmount', {
      type: 'Decimal',
      description: 'The fee of the service, in `currency`, by the terms at creation.',
    }),
    netAmount: t.expose('netAmount', {
      type: 'Decimal',
      description:
        'Payin: amount − fee, what the wallet gets. Payout: amount + fee, what the wallet gives. In `currency`.',
    }),
    paidAmount: t.expose('paidAmount', {
      type: 'Decimal',
      description: 'What has come in so far and counts for the order, in `currency`; late or wrong money is not in it.',
    }),
    channelId: t.exposeString('channelId', { description: 'The upstream channel that carries the order.' }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'Why it failed or timed out; null on every other order.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was completed; null unless it is.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When an unpaid payin ends; null where nothing expires.',
    }),
  }),
});

const typeNames: Record<OrderKind, string> = { payin: 'Payin', payout: 'Payout' };

builder.objectType(builder.objectRef<Order>(typeNames.payin), {
  description: "Money collected from a payer, credited to the merchant's wallet once it is completed.",
  interfaces: [OrderInterface],
});

builder.objectType(builder.objectRef<Order>(typeNames.payout), {
  description: "Money sent to a payee, frozen in the merchant's wallet until it is done.",
  interfaces: [OrderInterface],
});

const OrderKindEnum = builder.enumType('OrderKind', {
  description: 'Which way the money of an order goes.',
  values: {
    PAYIN: { value: 'payin', description: 'Money comes in, from a payer.' },
    PAYOUT: { value: 'payout', description: 'Money goes out, to a payee.' },
  } as const satisfies EnumValues<OrderKind>,
});

const OrderStatusEnum = builder.enumType('OrderStatus', {
  description: 'Where an order stands. COMPLETED, FAILED, TIMEOUT and CANCELLED are ends.',
  values: {
    CREATED: { value: 'created', description: 'On the books, not yet taken by a channel.' },
    MARKET_AVAILABLE: { value: 'market_available', description: 'Payout PK: listed on the task market.' },
    PROCESSING: { value: 'processing', description: 'A channel or a task taker is at it.' },
    PARTIAL_PAID: { value: 'partial_paid', description: 'Payin TH: part of the money came.' },
    COMPLETED: { value: 'completed', description: 'Paid in full and booked.' },
    FAILED: { value: 'failed', description: 'The channel refused or failed it.' },
    TIMEOUT: { value: 'timeout', description: 'TH, IN: ended unpaid.' },
    CANCELLED: { value: 'cancelled', description: 'Called off; CN, PK payin: also ended unpaid.' },
  } as const satisfies EnumValues<OrderStatus>,
});

const CountryEnum = builder.enumType('Country', {
  description: 'A country that the service works in, by its ISO 3166-1 code.',
  values: {
    CN: { value: 'CN', description: 'China' },
    TH: { value: 'TH', description: 'Thailand' },
    IN: { value: 'IN', description: 'India' },
    PK: { value: 'PK', description: 'Pakistan' },
  } as const satisfies EnumValues<Country>,
});

const CurrencyEnum = builder.enumType('Currency', {
  description: 'A currency by its ISO 4217 code; each country has one.',
  values: {
    CNY: { value: currencyOf.CN, description: 'Chinese yuan' },
    THB: { value: currencyOf.TH, description: 'Thai baht' },
    INR: { value: currencyOf.IN, description: 'Indian rupee' },
    PKR: { value: currencyOf.PK, description: 'Pakistani rupee' },
  } as const satisfies EnumValues<Currency>,
});

/** Exactly one value per member of the domain's union. */
type EnumValues<Values extends string> = {
  [Value in Values as Uppercase<Value>]: { value: Value; description: string };
};
