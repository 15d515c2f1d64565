import { signedSum } from '@tidegate/domain';
import { loadWallets, type WalletRecord } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { CurrencyEnum } from '../enums.ts';
import { loaded } from '../loaded.ts';
import { scopeOf } from '../paging.ts';
import { reads } from '../selection.ts';

/** A merchant's wallet, by the merchant's number. */
export const WalletType = builder.loadableNodeRef('Wallet', {
  id: { resolve: ({ merchantId }: WalletRecord) => merchantId },
  load: async (ids: string[], context) =>
    loaded(await loadWallets(context.domain, scopeOf(context), ids, context.selection.properties('Wallet'))),
});

WalletType.implement({
  description: 'What we owe a merchant. All amounts are in its `currency`.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'The number of the merchant whose it is.' }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'The currency of its amounts.' }),
    balance: t.field({
      type: 'Decimal',
      description: 'Available and frozen together, in `currency`.',
      ...reads('available', 'frozen', 'currency'),
      resolve: ({ available, frozen, currency }) => signedSum(currency, available, frozen),
    }),
    available: t.expose('available', { type: 'Decimal', description: 'What can be paid out, in `currency`.' }),
    frozen: t.expose('frozen', { type: 'Decimal', description: 'What open payouts hold, in `currency`.' }),
    lastEntryNo: t.exposeInt('lastEntryNo', { description: 'How many lines it has.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it changed last.' }),
  }),
});
