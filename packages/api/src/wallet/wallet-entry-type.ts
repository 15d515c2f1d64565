import type { EntryType, WalletEntry } from '@tidegate/domain';
import { builder } from '../graphql/builder.ts';

export const EntryTypeEnum = builder.enumType('WalletEntryType', {
  description: 'Reason for a change of a wallet.',
  values: {
    PAYIN: { description: 'A payin was completed.' },
    PAYOUT_FREEZE: { description: 'A payout was created.' },
    PAYOUT_RELEASE: { description: 'A payout ended unpaid.' },
    PAYOUT: { description: 'A payout was completed.' },
    PAYOUT_RETURN: { description: 'A bank returned the payout.' },
    TOP_UP: { description: 'Money was received from the merchant.' },
    SETTLEMENT: { description: "Money was paid to the merchant's bank." },
    ADJUSTMENT: { description: 'Correction by an operator.' },
  } as const satisfies Record<EntryType, { description: string }>,
});

/** One line of a wallet. */
export const WalletEntryType = builder.objectRef<WalletEntry>('WalletEntry').implement({
  description: "One entry of a wallet. Entries are numbered without gaps. Amounts are in the wallet's currency.",
  fields: (t) => ({
    entryNo: t.exposeInt('entryNo', { description: 'Number within the wallet: 1, 2, 3 …' }),
    type: t.expose('type', { type: EntryTypeEnum, description: 'Reason for the change.' }),
    availableChange: t.expose('availableChange', {
      type: 'Decimal',
      description: "Signed change of the available amount, in the wallet's currency.",
    }),
    frozenChange: t.expose('frozenChange', {
      type: 'Decimal',
      description: "Signed change of the frozen amount, in the wallet's currency.",
    }),
    availableAfter: t.expose('availableAfter', {
      type: 'Decimal',
      description: "Available amount after this entry, in the wallet's currency.",
    }),
    frozenAfter: t.expose('frozenAfter', {
      type: 'Decimal',
      description: "Frozen amount after this entry, in the wallet's currency.",
    }),
    orderNo: t.exposeString('orderNo', { nullable: true, description: 'Service order number.' }),
    merchantOrderNo: t.exposeString('merchantOrderNo', {
      nullable: true,
      description: 'Order number of the merchant.',
    }),
    bookingNo: t.exposeString('bookingNo', {
      nullable: true,
      description: 'Booking number of a top-up, settlement or adjustment.',
    }),
    counterAccount: t.exposeString('counter', {
      nullable: true,
      description:
        'Account of the platform against which it was booked, e.g. `external` or `fee_revenue`. Null for entries of orders, and for older ones.',
    }),
    corrects: t.exposeString('corrects', {
      nullable: true,
      description: 'What it corrects: the number of an order, a settlement, a case, or the booking that it reverses.',
    }),
    remark: t.exposeString('remark', { nullable: true, description: 'Remark that the merchant sees.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time when it was recorded.' }),
    batchNo: t.exposeInt('batchNo', { description: 'Batch of the ledger chain that covers the entry.' }),
  }),
});
