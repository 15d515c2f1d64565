import { type AccountBalance, accountFilter, readAccountBalances } from '@tidegate/domain/lists';
import { CurrencyEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { scopeOf } from '../graphql/paging.ts';

const AccountBalanceType = builder.objectRef<AccountBalance>('AccountBalance').implement({
  description: 'Balance of one platform account in one currency. Amounts are in `currency`.',
  fields: (t) => ({
    account: t.string({
      description:
        '`fee_revenue`, `suspense`, `external`, `dispute`, or `channel:`, `variance:`, `written_off:` or `channel_fee:` followed by a channel id.',
      resolve: ({ account }) => account,
    }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'Currency of the amounts.' }),
    merchantId: t.exposeString('merchantId', {
      nullable: true,
      description: 'Merchant number of the ledger. Null if it is the sum over all ledgers that you may see.',
    }),
    debited: t.expose('debited', { type: 'Decimal', description: 'Sum of all debits, in `currency`.' }),
    credited: t.expose('credited', { type: 'Decimal', description: 'Sum of all credits, in `currency`.' }),
    balance: t.expose('balance', {
      type: 'Decimal',
      description:
        'Credits minus debits, in `currency`. Negative for a channel or bank that holds money for the platform.',
    }),
    transfers: t.float({ description: 'Number of transfers, a whole number.', resolve: ({ transfers }) => transfers }),
  }),
});

const AccountFilter = builder.inputType('AccountFilter', {
  description: 'Filter for accounts. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    accounts: t.stringList({ description: 'Any of these accounts.' }),
    currencies: t.field({ type: [CurrencyEnum], description: 'Any of these currencies.' }),
  }),
});

builder.queryField('accountBalances', (t) =>
  t.field({
    type: [AccountBalanceType],
    description: "Current balances of the platform's accounts, largest first, at most 200.",
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: AccountFilter,
        description: 'Filter. Default: all accounts that you may see.',
        validate: { schema: accountFilter },
      }),
      byMerchant: t.arg.boolean({ description: 'Returns one balance per merchant and account. Default: false.' }),
    },
    resolve: (_root, { filter, byMerchant }, context) =>
      readAccountBalances(context.domain, scopeOf(context), filter ?? {}, { byMerchant: byMerchant ?? false }),
  }),
);
