import { type CaseKind, type CaseProgress, heldByCase, type MoneyCase, progressOfCase } from '@tidegate/domain';
import { loadMoneyCases } from '@tidegate/domain/lists';
import { versionOfCase } from '@tidegate/domain/operators';
import { readWholeNumber } from '@tidegate/settings/whole-number';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionDescription } from '../action/version.ts';
import { CurrencyEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { keyOf, loaded, partsOf } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';
import { orderByNumber } from '../order/order-of-number.ts';
import { OrderInterface } from '../order/order-type.ts';

export const CaseKindEnum = builder.enumType('CaseKind', {
  description: 'Reason why a case was opened.',
  values: {
    LATE: { value: 'late', description: 'The money arrived after the order had ended.' },
    DOUBLE: { value: 'double', description: 'The payer paid a second time.' },
    WRONG_AMOUNT: { value: 'wrong_amount', description: 'The amount differs from that of the order.' },
    PARTS_OF_UNPAID: {
      value: 'parts_of_unpaid',
      description: 'Partial payments of an order that was never paid in full.',
    },
    UNMATCHED: { value: 'unmatched', description: 'A channel reported money that matches no order.' },
    PAYOUT_RETURNED: { value: 'payout_returned', description: 'A bank returned the payout.' },
    PAYOUT_PAID_AGAIN: { value: 'payout_paid_again', description: 'A channel paid a payout that had already ended.' },
    PAYOUT_WRONG_AMOUNT: {
      value: 'payout_wrong_amount',
      description: 'The channel paid a different amount than requested. The payout is still open.',
    },
    PAYOUT_UNDERPAID: {
      value: 'payout_underpaid',
      description: 'The channel paid less than operators had settled. The difference is in suspense.',
    },
    SETTLEMENT_FAILED: {
      value: 'settlement_failed',
      description: 'A settlement failed. Its amount is back in the wallet; the case holds no money.',
    },
    CONTRADICTION: {
      value: 'contradiction',
      description:
        "The channel's answer contradicts the final status of the order. The case holds no money; `amount` is that of the order.",
    },
  } as const satisfies Record<string, { value: CaseKind; description: string }>,
});

export const CaseStateEnum = builder.enumType('CaseState', {
  description: 'State of a case.',
  values: {
    OPEN: { value: 'open', description: 'Waiting for an operator.' },
    RETURNING: {
      value: 'returning',
      description: 'The channel is sending the money back. It takes no other decision until the channel says more.',
    },
    CREDITED: {
      value: 'credited',
      description:
        'Settled with the merchant: money received was credited, or money that left was covered by its payout.',
    },
    CHARGED: { value: 'charged', description: 'Money that left was charged to the merchant, whose wallet paid it.' },
    WRITTEN_OFF: { value: 'written_off', description: 'Money that left was written off: the platform bears it.' },
    RETURNED: { value: 'returned', description: 'The money was returned. For a case without money: it was resolved.' },
  } as const satisfies Record<string, { value: CaseProgress; description: string }>,
});

/** A case. Its id consists of the merchant and the number of the case. */
export const CaseType = builder.loadableNodeRef('MoneyCase', {
  id: { resolve: ({ merchantId, caseNo }: MoneyCase) => keyOf(merchantId, caseNo) },
  load: async (keys: string[], context) =>
    loaded(await loadMoneyCases(context.domain, scopeOf(context), keys.map(refOf))),
});

function refOf(key: string): { merchantId: string; caseNo: number } {
  const [merchantId, caseNo] = partsOf(key);
  return { merchantId, caseNo: readWholeNumber(caseNo, 1, Number.MAX_SAFE_INTEGER) ?? 0 };
}

CaseType.implement({
  description: 'Money held in suspense until an operator credits or returns it, or a contradiction to resolve.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', {
      description: 'Merchant number. For unmatched money: PLATFORM-CN, PLATFORM-TH, PLATFORM-IN or PLATFORM-PK.',
    }),
    caseNo: t.exposeInt('caseNo', { description: 'Number within the merchant: 1, 2, 3 …' }),
    kind: t.expose('kind', { type: CaseKindEnum, description: 'Reason why the case was opened.' }),
    state: t.field({
      type: CaseStateEnum,
      description: 'Whether the case is open or decided.',
      resolve: progressOfCase,
    }),
    currency: t.field({
      type: CurrencyEnum,
      description: 'Currency of the amount.',
      resolve: ({ currency }) => currency as (typeof CurrencyEnum)['$inferType'],
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Amount, in `currency`.' }),
    heldAmount: t.field({
      type: 'Decimal',
      description: 'What it holds in suspense now, in `currency`. 0.00 once it is decided, and for money that left.',
      resolve: heldByCase,
    }),
    cameBack: t.expose('cameBack', {
      type: 'Decimal',
      description:
        'How much of money that left came back, in `currency`. The rest is still out, or is borne by the merchant or the platform.',
    }),
    orderNo: t.exposeString('orderNo', {
      nullable: true,
      description: 'The order concerned. Null for unmatched money.',
    }),
    order: t.loadable({
      type: OrderInterface,
      nullable: true,
      description: 'The order concerned. Null for unmatched money.',
      ...orderByNumber,
      resolve: ({ merchantId, orderNo }) => (orderNo === null ? null : keyOf(merchantId, orderNo)),
    }),
    channelId: t.exposeString('channelId', {
      description: 'Channel that reported it; `settlement` for a failed settlement.',
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'Reference of the payment at the channel. Null if the case is about several payments.',
    }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: "What happened, with the channel's own message. Hidden from viewers.",
      authScopes: personal,
    }),
    version: t.string({ description: versionDescription, resolve: versionOfCase }),
    actions: t.field(actionsOf((found: MoneyCase) => ({ type: 'case', found }))),
    openedAt: t.expose('openedAt', { type: 'DateTime', description: 'Time of opening.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true, description: 'Time of the decision.' }),
  }),
});
