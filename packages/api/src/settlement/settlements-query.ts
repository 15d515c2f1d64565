import {
  loadSettlements,
  merchantIdSchema,
  pageSettlementCycles,
  pageSettlementEntries,
  pageSettlements,
  settlementCycleFilter,
  settlementEntryFilter,
  settlementFilter,
} from '@tidegate/domain/lists';
import { matchingText } from '@tidegate/settings/bounded-text';
import { CurrencyEnum } from '../enums/enums.ts';
import { SettlementStateEnum } from '../enums/settlement-enums.ts';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { WalletEntryType } from '../wallet/wallet-entry-type.ts';
import { cycleOf, SettlementCycleType, SettlementType } from './settlement-type.ts';

const SettlementFilter = builder.inputType('SettlementFilter', {
  description: 'Filter for settlements. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    states: t.field({ type: [SettlementStateEnum], description: 'In any of these states.' }),
    settlementNo: t.string({ description: 'Settlement number.' }),
    fileNo: t.string({ description: 'Number of a bank file.' }),
    hasAmount: t.boolean({ description: 'True: with something to pay. False: with an amount of 0.00.' }),
    currencies: t.field({ type: [CurrencyEnum], description: 'In any of these currencies.' }),
    runDayFrom: t.string({ description: 'First day of the run, such as 2026-11-01.' }),
    runDayTo: t.string({ description: 'Last day of the run, such as 2026-11-30.' }),
  }),
});

builder.queryField('settlements', (t) =>
  t.connection({
    type: SettlementType,
    description: 'Settlements by the time of their first draft, the newest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: SettlementFilter,
        description: 'Filter. Default: all settlements that you may see.',
        validate: { schema: settlementFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) =>
      connectionOf(await pageSettlements(context.domain, scopeOf(context), filter ?? {}, pageOf('settlements', page))),
  }),
);

const SettlementCycleFilter = builder.inputType('SettlementCycleFilter', {
  description: 'Filter for settlement cycles. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
  }),
});

builder.queryField('settlementCycles', (t) =>
  t.connection({
    type: SettlementCycleType,
    description: 'How merchants are settled, by merchant number. A merchant without a cycle is not listed.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: SettlementCycleFilter,
        description: 'Filter. Default: all cycles that you may see.',
        validate: { schema: settlementCycleFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) =>
      connectionOf(
        await pageSettlementCycles(context.domain, scopeOf(context), filter ?? {}, pageOf('settlement_cycles', page)),
      ),
  }),
);

const SettlementEntryFilter = builder.inputType('SettlementEntryFilter', {
  description:
    'Filter for entries of one settlement. Filters are combined with AND. All but `merchantId` are optional.',
  fields: (t) => ({
    merchantId: t.string({ required: true, description: 'Merchant number.' }),
    settlementNo: t.string({ description: 'Settlement number. Default: the newest of the merchant.' }),
  }),
});

builder.queryField('settlementEntries', (t) =>
  t.connection({
    type: WalletEntryType,
    description: 'The wallet entries that a settlement is made of, newest first. They come to closing less opening.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: SettlementEntryFilter,
        required: true,
        description: 'Merchant and settlement.',
        validate: { schema: settlementEntryFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) =>
      connectionOf(
        await pageSettlementEntries(context.domain, scopeOf(context), filter, pageOf('wallet_entries', page)),
      ),
  }),
);

const merchantArg = {
  required: true,
  description: 'Merchant number.',
  validate: { schema: merchantIdSchema },
} as const;

builder.queryField('settlement', (t) =>
  t.field({
    type: SettlementType,
    nullable: true,
    description: 'One settlement, by its merchant and number. Null if it does not exist or you may not see it.',
    authScopes: { operator: true },
    args: {
      merchantId: t.arg.string(merchantArg),
      settlementNo: t.arg.string({
        required: true,
        description: 'Settlement number.',
        validate: {
          schema: matchingText(35, /^ST[0-9A-Z]{4,33}$/, 'must be a settlement number'),
        },
      }),
    },
    resolve: async (_root, ref, context) => {
      const [found] = await loadSettlements(context.domain, scopeOf(context), [ref]);
      return found ?? null;
    },
  }),
);

builder.queryField('settlementCycle', (t) =>
  t.field({
    type: SettlementCycleType,
    nullable: true,
    description: 'How a merchant is settled. Null if it is not, or you may not see it.',
    authScopes: { operator: true },
    args: { merchantId: t.arg.string(merchantArg) },
    resolve: (_root, { merchantId }, context) => cycleOf(context, merchantId),
  }),
);
