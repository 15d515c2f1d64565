import type { FeeRuleRecord } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { OrderKindEnum } from '../enums.ts';

/** What a merchant pays for orders of a kind. */
export const FeeRuleType = builder.objectRef<FeeRuleRecord>('FeeRule').implement({
  description: "What a merchant pays for its orders of a kind. Amounts are in the merchant's currency.",
  fields: (t) => ({
    kind: t.expose('kind', { type: OrderKindEnum, description: 'For payins or payouts.' }),
    bankCode: t.string({
      nullable: true,
      description: 'For this bank code alone; null: for every one that has no rule of its own.',
      resolve: ({ bankCode }) => bankCode || null,
    }),
    from: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'From when it holds: orders created at that moment or later pay by it. Null: since it was set.',
      resolve: ({ beginsAt }) => beginsAt || null,
    }),
    percent: t.expose('percent', { type: 'Percentage', description: 'Of the amount.' }),
    fixed: t.expose('fixed', { type: 'Decimal', description: "Besides, per order, in the merchant's currency." }),
    minimum: t.expose('minimum', {
      type: 'Decimal',
      nullable: true,
      description: "The fee is never less, in the merchant's currency.",
    }),
    maximum: t.expose('maximum', {
      type: 'Decimal',
      nullable: true,
      description: "The fee is never more, in the merchant's currency.",
    }),
  }),
});
