import type { Transfer } from '@tidegate/domain';
import { pageTransfers, transferFilter } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { CurrencyEnum } from '../enums.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';

/** One transfer of the ledger. */
export const TransferType = builder.objectRef<Transfer>('Transfer').implement({
  description: 'A positive amount that moved from one account to another, for ever.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'In whose ledger.' }),
    transferNo: t.exposeInt('transferNo', { description: 'Its number in this ledger: 1, 2, 3 …' }),
    debit: t.string({ description: 'The account that it left.', resolve: ({ debit }) => debit }),
    credit: t.string({ description: 'The account that it came to.', resolve: ({ credit }) => credit }),
    currency: t.field({
      type: CurrencyEnum,
      description: 'The currency of its amount.',
      resolve: ({ currency }) => currency as (typeof CurrencyEnum)['$inferType'],
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'How much, in `currency`.' }),
    cause: t.string({ description: 'Why.', resolve: ({ cause }) => cause }),
    orderNo: t.exposeString('orderNo', { nullable: true, description: 'The order that it is about.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
  }),
});

const TransferFilter = builder.inputType('TransferFilter', {
  description: 'Which transfers of a merchant. What is left out does not narrow; all that is given has to fit.',
  fields: (t) => ({
    merchantId: t.string({ required: true, description: "Whose ledger: a merchant's number, or a PLATFORM tenant." }),
    account: t.string({ description: 'From or to this account, e.g. "suspense" or "channel:sandbox".' }),
    causes: t.stringList({ description: 'For one of these causes.' }),
    orderNo: t.string({ description: 'About this order.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Written at this moment or later.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Written before this moment.' }),
  }),
});

builder.queryField('transfers', (t) =>
  t.connection({
    type: TransferType,
    description: "The transfers in a merchant's ledger, the newest first.",
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: TransferFilter,
        required: true,
        description: 'Whose, and which of them.',
        validate: { schema: transferFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) =>
      connectionOf(await pageTransfers(context.domain, scopeOf(context), filter, pageOf('transfers', page))),
  }),
);
