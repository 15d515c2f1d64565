import type { EntryType, WalletEntry } from '@tidegate/domain';
import { builder } from '../builder.ts';

const EntryTypeEnum = builder.enumType('WalletEntryType', {
  description: 'Why a wallet changed.',
  values: {
    PAYIN: { description: 'A payin was completed.' },
    PAYOUT_FREEZE: { description: 'A payout was created.' },
    PAYOUT_RELEASE: { description: 'A payout ended unpaid.' },
    PAYOUT: { description: 'A payout was completed.' },
    PAYOUT_RETURN: { description: 'A bank returned a payout.' },
    TOP_UP: { description: 'Money of the merchant came in at the bank.' },
    SETTLEMENT: { description: "Money went to the merchant's bank." },
    ADJUSTMENT: { description: 'An operator corrected it.' },
  } as const satisfies Record<EntryType, { description: string }>,
});

/** One line of a wallet. */
export const WalletEntryType = builder.objectRef<WalletEntry>('WalletEntry').implement({
  description: "One line of a wallet, numbered without gaps. Amounts are in the wallet's currency.",
  fields: (t) => ({
    entryNo: t.exposeInt('entryNo', { description: 'Its number in the wallet: 1, 2, 3 …' }),
    type: t.expose('type', { type: EntryTypeEnum, description: 'Why the wallet changed.' }),
    availableChange: t.expose('availableChange', {
      type: 'Decimal',
      description: "What it did to what is available, signed, in the wallet's currency.",
    }),
    frozenChange: t.expose('frozenChange', {
      type: 'Decimal',
      description: "What it did to what is frozen, signed, in the wallet's currency.",
    }),
    availableAfter: t.expose('availableAfter', {
      type: 'Decimal',
      description: "What was available right after it, in the wallet's currency.",
    }),
    frozenAfter: t.expose('frozenAfter', {
      type: 'Decimal',
      description: "What was frozen right after it, in the wallet's currency.",
    }),
    orderNo: t.exposeString('orderNo', { nullable: true, description: 'The order that it is about.' }),
    merchantOrderNo: t.exposeString('merchantOrderNo', {
      nullable: true,
      description: "The merchant's own number of that order.",
    }),
    bookingNo: t.exposeString('bookingNo', {
      nullable: true,
      description: 'The number of a top-up, settlement or adjustment.',
    }),
    remark: t.exposeString('remark', { nullable: true, description: 'What the merchant sees beside it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
    hash: t.exposeString('hash', { description: 'SHA-256 over the line before and this one.' }),
  }),
});
