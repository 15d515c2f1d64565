import type { CaseKind, CaseState, MoneyCase } from '@tidegate/domain';
import { loadMoneyCases } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { CurrencyEnum } from '../enums.ts';
import { keyOf, loaded, partsOf } from '../loaded.ts';
import { orderByNumber } from '../order/order-of-number.ts';
import { OrderInterface } from '../order/order-type.ts';
import { scopeOf } from '../paging.ts';
import { personal } from '../personal.ts';

export const CaseKindEnum = builder.enumType('CaseKind', {
  description: 'Why money belongs to nobody yet.',
  values: {
    LATE: { value: 'late', description: 'It came after its order had ended.' },
    DOUBLE: { value: 'double', description: 'It came a second time.' },
    WRONG_AMOUNT: { value: 'wrong_amount', description: 'It is not what the order asked for.' },
    PARTS_OF_UNPAID: { value: 'parts_of_unpaid', description: 'Parts of an order that was never paid whole.' },
    UNMATCHED: { value: 'unmatched', description: 'A channel told of it, and no order of ours fits.' },
    PAYOUT_RETURNED: { value: 'payout_returned', description: 'A bank returned a payout.' },
    PAYOUT_PAID_AGAIN: { value: 'payout_paid_again', description: 'A channel paid what had ended already.' },
    PAYOUT_WRONG_AMOUNT: {
      value: 'payout_wrong_amount',
      description: 'A channel paid another amount than was asked, and the payout is still open.',
    },
    PAYOUT_UNDERPAID: {
      value: 'payout_underpaid',
      description: 'The channel paid less than operators had settled: the rest is in suspense.',
    },
    CONTRADICTION: {
      value: 'contradiction',
      description: "A channel's answer contradicts how the order ended. It holds no money; its amount is the order's.",
    },
  } as const satisfies Record<string, { value: CaseKind; description: string }>,
});

export const CaseStateEnum = builder.enumType('CaseState', {
  description: 'Whether a case was decided.',
  values: {
    OPEN: { value: 'open', description: 'It waits for an operator.' },
    CREDITED: { value: 'credited', description: 'The merchant got the money, or bore it where it went out.' },
    RETURNED: { value: 'returned', description: 'The money went back; of a contradiction: it is cleared up.' },
  } as const satisfies Record<string, { value: CaseState; description: string }>,
});

/** A case, by its merchant and number. */
export const CaseType = builder.loadableNodeRef('MoneyCase', {
  id: { resolve: ({ merchantId, caseNo }: MoneyCase) => keyOf(merchantId, caseNo) },
  load: async (keys: string[], context) =>
    loaded(await loadMoneyCases(context.domain, scopeOf(context), keys.map(refOf))),
});

function refOf(key: string): { merchantId: string; caseNo: number } {
  const [merchantId, caseNo] = partsOf(key);
  return { merchantId, caseNo: /^[0-9]{1,15}$/.test(caseNo) ? Number(caseNo) : 0 };
}

CaseType.implement({
  description:
    'Money that lies in suspense until an operator credits or returns it, or answers that contradict each other.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', {
      description: "Whose it is: a merchant's number, or PLATFORM-CN, -TH, -IN, -PK for unmatched money.",
    }),
    caseNo: t.exposeInt('caseNo', { description: "Its number among the merchant's." }),
    kind: t.expose('kind', { type: CaseKindEnum, description: 'Why it is a case.' }),
    state: t.expose('state', { type: CaseStateEnum, description: 'Whether it was decided.' }),
    currency: t.field({
      type: CurrencyEnum,
      description: 'The currency of its amount.',
      resolve: ({ currency }) => currency as (typeof CurrencyEnum)['$inferType'],
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'How much, in `currency`.' }),
    orderNo: t.exposeString('orderNo', { nullable: true, description: 'The order that it is about; null: unmatched.' }),
    order: t.loadable({
      type: OrderInterface,
      nullable: true,
      description: 'The order that it is about; null: unmatched.',
      ...orderByNumber,
      resolve: ({ merchantId, orderNo }) => (orderNo === null ? null : keyOf(merchantId, orderNo)),
    }),
    channelId: t.exposeString('channelId', { description: 'The channel that told of it.' }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: "The channel's reference of the payment; null where it is about several.",
    }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: "What happened, with the channel's own words. Not for viewers.",
      authScopes: personal,
    }),
    openedAt: t.expose('openedAt', { type: 'DateTime', description: 'When it was opened.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true, description: 'When it was decided.' }),
  }),
});
