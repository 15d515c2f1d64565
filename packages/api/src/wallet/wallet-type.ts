import { signedSum } from '@tidegate/domain';
import { loadWallets, type WalletRecord } from '@tidegate/domain/lists';
import { actionsOf } from '../action/allowed-action-type.ts';
import { CurrencyEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { loaded } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';

/** A merchant's wallet, by the merchant's number. */
export const WalletType = builder.loadableNodeRef('Wallet', {
  id: { resolve: ({ merchantId }: WalletRecord) => merchantId },
  load: async (ids: string[], context) => loaded(await loadWallets(context.domain, scopeOf(context), ids)),
});

WalletType.implement({
  description: 'Balance owed to a merchant. Amounts are in its `currency`.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'Merchant number.' }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'Currency of the amounts.' }),
    balance: t.field({
      type: 'Decimal',
      description: 'Sum of available and frozen, in `currency`.',
      resolve: ({ available, frozen, currency }) => signedSum(currency, available, frozen),
    }),
    available: t.expose('available', { type: 'Decimal', description: 'Amount available for payouts, in `currency`.' }),
    withheld: t.expose('withheld', {
      type: 'Decimal',
      description:
        'Part of the available amount that turned out to be test money, in `currency`. It can be neither paid out nor settled.',
    }),
    frozen: t.expose('frozen', { type: 'Decimal', description: 'Amount held by open payouts, in `currency`.' }),
    lastEntryNo: t.exposeInt('lastEntryNo', { description: 'Number of its last entry.' }),
    actions: t.field(actionsOf((wallet: WalletRecord) => ({ type: 'wallet', wallet }))),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  }),
});
