import { timeZoneOf } from '@tidegate/domain';
import {
  type Balance,
  type EntryTotal,
  loadMerchants,
  pageStatementEntries,
  readStatement,
  readStatementTotals,
  statementEntryFilter,
  statementRequest,
  type WalletStatement,
} from '@tidegate/domain/lists';
import { CurrencyEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { EntryTypeEnum, WalletEntryType } from './wallet-entry-type.ts';

const BalanceType = builder.objectRef<Balance>('WalletBalance').implement({
  description: "Balance of a wallet at one moment, in the wallet's currency.",
  fields: (t) => ({
    available: t.expose('available', {
      type: 'Decimal',
      description: "Amount available for payouts, in the wallet's currency.",
    }),
    frozen: t.expose('frozen', { type: 'Decimal', description: "Amount held by payouts, in the wallet's currency." }),
    balance: t.expose('balance', {
      type: 'Decimal',
      description: "Sum of available and frozen, in the wallet's currency.",
    }),
  }),
});

const EntryTotalType = builder.objectRef<EntryTotal>('WalletEntryTotal').implement({
  description: "Sum of the entries of one type, in the wallet's currency.",
  fields: (t) => ({
    type: t.expose('type', { type: EntryTypeEnum, description: 'Reason for the changes.' }),
    entries: t.exposeInt('entries', { description: 'Number of entries.' }),
    availableChange: t.expose('availableChange', {
      type: 'Decimal',
      description: "Signed sum of the changes of the available amount, in the wallet's currency.",
    }),
    frozenChange: t.expose('frozenChange', {
      type: 'Decimal',
      description: "Signed sum of the changes of the frozen amount, in the wallet's currency.",
    }),
  }),
});

const StatementEntryFilter = builder.inputType('StatementEntryFilter', {
  description: 'Filter for entries of a statement. Filters are optional and combined with AND.',
  fields: (t) => ({
    types: t.field({ type: [EntryTypeEnum], description: 'Of any of these types.' }),
  }),
});

const WalletStatementType = builder.objectRef<WalletStatement>('WalletStatement').implement({
  description: 'A wallet over a period. The opening balance and all changes add up to the closing balance.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'Merchant number.' }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'Currency of the amounts.' }),
    timeZone: t.exposeString('timeZone', { description: 'Time zone of the days.' }),
    from: t.expose('from', { type: 'DateTime', description: 'Start of the first day.' }),
    to: t.expose('to', { type: 'DateTime', description: 'End of the last day.' }),
    opening: t.expose('opening', { type: BalanceType, description: 'Balance at the start.' }),
    closing: t.expose('closing', { type: BalanceType, description: 'Balance at the end, or now.' }),
    entryCount: t.int({ description: 'Number of entries.', resolve: ({ after, last }) => last - after }),
    totals: t.field({
      type: [EntryTotalType],
      nullable: true,
      description: 'Sums of all entries by type. Null while they are still being computed after an upgrade.',
      resolve: (statement, _args, { domain }) => readStatementTotals(domain, statement),
    }),
    entries: t.connection({
      type: WalletEntryType,
      description: 'Entries of the period, newest first.',
      args: {
        filter: t.arg({
          type: StatementEntryFilter,
          description: 'Filter. Default: all entries of the period.',
          validate: { schema: statementEntryFilter },
        }),
      },
      resolve: async (statement, { filter, ...page }, { domain }) =>
        connectionOf(await pageStatementEntries(domain, statement, filter ?? {}, pageOf('wallet_entries', page))),
    }),
  }),
});

export const StatementInput = builder.inputType('WalletStatementInput', {
  description: 'The wallet and the days of a statement.',
  fields: (t) => ({
    merchantId: t.string({ required: true, description: 'Merchant number.' }),
    firstDay: t.string({ required: true, description: 'First day, such as 2026-11-01.' }),
    lastDay: t.string({ required: true, description: 'Last day, such as 2026-11-30. At most 400 days.' }),
    timeZone: t.string({
      description: "Time zone of the days, as an IANA name such as Asia/Kolkata. Default: the merchant's.",
    }),
  }),
});

builder.queryField('walletStatement', (t) =>
  t.field({
    type: WalletStatementType,
    nullable: true,
    description: "Statement of a merchant's wallet for a range of days. Null if you may not see the merchant.",
    authScopes: { operator: true },
    args: {
      input: t.arg({
        type: StatementInput,
        required: true,
        description: 'The wallet and the days.',
        validate: { schema: statementRequest },
      }),
    },
    resolve: async (_root, { input }, context) => {
      const scope = scopeOf(context);
      const [merchant] = await loadMerchants(context.domain, scope, [input.merchantId]);
      if (!merchant) return null;
      const timeZone = input.timeZone ?? timeZoneOf[merchant.country];
      return readStatement(context.domain, scope, { ...input, timeZone });
    },
  }),
);
