import type { Transfer } from '@tidegate/domain';
import { pageTransfers, transferFilter } from '@tidegate/domain/lists';
import { CurrencyEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';

/** One transfer of the ledger. */
export const TransferType = builder.objectRef<Transfer>('Transfer').implement({
  description: 'A permanent ledger transfer of a positive amount from one account to another.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'Merchant number of the ledger.' }),
    transferNo: t.exposeInt('transferNo', { description: "Number within the merchant's ledger: 1, 2, 3 …" }),
    debit: t.string({ description: 'Account that is debited.', resolve: ({ debit }) => debit }),
    credit: t.string({ description: 'Account that is credited.', resolve: ({ credit }) => credit }),
    currency: t.field({
      type: CurrencyEnum,
      description: 'Currency of the amount.',
      resolve: ({ currency }) => currency as (typeof CurrencyEnum)['$inferType'],
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Amount, in `currency`.' }),
    cause: t.string({ description: 'Reason.', resolve: ({ cause }) => cause }),
    orderNo: t.exposeString('orderNo', { nullable: true, description: 'Service order number.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time when it was recorded.' }),
  }),
});

const TransferFilter = builder.inputType('TransferFilter', {
  description:
    'Filter for transfers of one merchant. Filters are combined with AND. All but `merchantId` are optional.',
  fields: (t) => ({
    merchantId: t.string({
      required: true,
      description: 'Merchant number of the ledger, or a PLATFORM tenant such as PLATFORM-CN.',
    }),
    account: t.string({ description: 'Debited or credited account, e.g. "suspense" or "channel:sandbox".' }),
    causes: t.stringList({ description: 'Any of these causes.' }),
    orderNo: t.string({ description: 'About this service order number.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Recorded at or after this time.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Recorded before this time.' }),
  }),
});

builder.queryField('transfers', (t) =>
  t.connection({
    type: TransferType,
    description: 'Ledger transfers of one merchant, newest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: TransferFilter,
        required: true,
        description: 'Merchant and optional filters.',
        validate: { schema: transferFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) =>
      connectionOf(await pageTransfers(context.domain, scopeOf(context), filter, pageOf('transfers', page))),
  }),
);
