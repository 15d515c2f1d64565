import type { FeeRuleRecord } from '@tidegate/domain/lists';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionOfConfiguration } from '../action/version.ts';
import { OrderKindEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';

/** A merchant's price for orders of a kind. */
export const FeeRuleType = builder.objectRef<FeeRuleRecord>('FeeRule').implement({
  description: "Fee of a merchant for one kind of order. Amounts are in the merchant's currency.",
  fields: (t) => ({
    kind: t.expose('kind', { type: OrderKindEnum, description: 'Payins or payouts.' }),
    bankCode: t.string({
      nullable: true,
      description: 'Applies to this bank code only. Null: to all bank codes without their own rule.',
      resolve: ({ bankCode }) => bankCode || null,
    }),
    from: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Applies to orders created at or after this time. Null: since it was set.',
      resolve: ({ beginsAt }) => beginsAt || null,
    }),
    version: t.string(versionOfConfiguration((rule: FeeRuleRecord) => ({ type: 'fee_rule', rule }))),
    actions: t.field(actionsOf((rule: FeeRuleRecord) => ({ type: 'fee_rule', rule }))),
    percent: t.expose('percent', { type: 'Percentage', description: 'Percentage of the order amount.' }),
    fixed: t.expose('fixed', { type: 'Decimal', description: "Fixed fee per order, in the merchant's currency." }),
    minimum: t.expose('minimum', {
      type: 'Decimal',
      nullable: true,
      description: "Minimum fee per order, in the merchant's currency.",
    }),
    isRefundable: t.exposeBoolean('isRefundable', {
      description: 'Whether the fee of a payout is given back once the bank has returned all of it.',
    }),
    maximum: t.expose('maximum', {
      type: 'Decimal',
      nullable: true,
      description: "Maximum fee per order, in the merchant's currency.",
    }),
  }),
});
