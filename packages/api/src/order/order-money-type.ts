import type { OperatorStep, OrderMoney, OrderMoneyReport } from '@tidegate/domain';
import { loadOrderMoney } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';
import { keyOf, loaded } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';
import { orderRefOf } from './order-of-number.ts';
import { OrderInterface } from './order-type.ts';

const OperatorStepEnum = builder.enumType('OperatorStep', {
  description: "What operators have to do next about an order's money.",
  values: {
    DECIDE_CASES: { value: 'decide_cases', description: 'Money is held or has left: decide the open cases.' },
    WAIT_FOR_REFUND: { value: 'wait_for_refund', description: 'The channel is sending all held money back.' },
    CLEAR_UP_CONTRADICTION: {
      value: 'clear_up_contradiction',
      description: 'No money is held, but an open case has to be clarified.',
    },
    CONFIRM_FUNDS: { value: 'confirm_funds', description: 'An operator confirms what the payer sent.' },
    WAIT_FOR_PAYER: { value: 'wait_for_payer', description: 'Nothing has arrived yet.' },
    WAIT_FOR_REST: { value: 'wait_for_rest', description: 'A part has arrived and counts for the order.' },
    WAIT_FOR_PAYOUT: { value: 'wait_for_payout', description: 'The payout is under way.' },
    NONE: { value: 'none', description: 'Nothing.' },
  } as const satisfies Record<string, { value: OperatorStep; description: string }>,
});

const amounts: Record<keyof OrderMoney, string> = {
  asked: 'What the payer pays, or the payee receives.',
  arrived:
    'Payin: all that came from payers, whatever became of it. Payout: what was paid out, also again after it came back.',
  counted: 'Payin: parts that count for the order while it is open.',
  rest: 'Payin: what the payer is asked to pay now. 0.00 once the order has ended, or while other money is held.',
  held: 'Held in suspense by open cases. Includes `returning`.',
  returning: 'What the channel is sending back to the payer now.',
  credited: 'Payin: what the order credited to its merchant, before the fee.',
  creditedOtherwise: "Payin: what operators credited otherwise: to the merchant's wallet, or to another order.",
  returned: 'Payin: sent back to the payer. Payout: sent back by the bank, or given back by the channel.',
  out: 'Payout: what left and is not covered, with open cases.',
};

const OrderMoneyType = builder.objectRef<OrderMoneyReport>('OrderMoney').implement({
  description: "Where an order's money is, from its payments and cases. The checkout page shows payers the same.",
  fields: (t) => ({
    ...Object.fromEntries(
      Object.entries(amounts).map(([name, description]) => [
        name,
        t.field({
          type: 'Decimal',
          description: `${description} In the currency of the order.`,
          resolve: ({ money }) => money[name as keyof OrderMoney],
        }),
      ]),
    ),
    nextStep: t.field({
      type: OperatorStepEnum,
      description: 'What operators have to do next.',
      resolve: ({ operator }) => operator,
    }),
  }),
});

builder.interfaceField(OrderInterface, 'money', (t) =>
  t.loadable({
    type: OrderMoneyType,
    description: 'What arrived, and what became of it.',
    load: async (keys: string[], context) =>
      loaded(await loadOrderMoney(context.domain, scopeOf(context), keys.map(orderRefOf))),
    resolve: ({ merchantId, orderNo }) => keyOf(merchantId, orderNo),
  }),
);
