import { type AccountBalance, accountFilter, readAccountBalances } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { CurrencyEnum } from '../enums.ts';
import { scopeOf } from '../paging.ts';

const AccountBalanceType = builder.objectRef<AccountBalance>('AccountBalance').implement({
  description: 'What an account of the platform holds in one currency. Amounts are in that `currency`.',
  fields: (t) => ({
    account: t.string({
      description: 'fee_revenue, suspense, external, or channel: and a channel id.',
      resolve: ({ account }) => account,
    }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'The currency of its amounts.' }),
    merchantId: t.exposeString('merchantId', {
      nullable: true,
      description: 'In whose ledger; null: in all that you may see together.',
    }),
    debited: t.expose('debited', { type: 'Decimal', description: 'All that left it, in `currency`.' }),
    credited: t.expose('credited', { type: 'Decimal', description: 'All that came to it, in `currency`.' }),
    balance: t.expose('balance', {
      type: 'Decimal',
      description: 'Credited less debited, in `currency`: a channel or bank that holds money for us is below zero.',
    }),
    transfers: t.float({ description: 'How many transfers, a whole number.', resolve: ({ transfers }) => transfers }),
  }),
});

const AccountFilter = builder.inputType('AccountFilter', {
  description: 'Which accounts. What is left out does not narrow; all that is given has to fit.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'In the ledger of these merchants, at most 100.' }),
    accounts: t.stringList({ description: 'These accounts.' }),
    currencies: t.field({ type: [CurrencyEnum], description: 'In one of these currencies.' }),
  }),
});

builder.queryField('accountBalances', (t) =>
  t.field({
    type: [AccountBalanceType],
    description: "The platform's accounts as they are now, the largest first; at most 200.",
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: AccountFilter,
        description: 'Which accounts; left out: all that you may see.',
        validate: { schema: accountFilter },
      }),
      byMerchant: t.arg.boolean({ description: "Each merchant's ledger apart." }),
    },
    resolve: (_root, { filter, byMerchant }, context) =>
      readAccountBalances(context.domain, scopeOf(context), filter ?? {}, { byMerchant: byMerchant ?? false }),
  }),
);
