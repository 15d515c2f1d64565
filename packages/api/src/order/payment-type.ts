import type { Payment, PaymentDirection, PaymentOutcome, PaymentUse } from '@tidegate/domain';
import { loadPaymentOutcomes, type PaymentRef } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';
import { keyOf, loaded, partsOf } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';

const PaymentDirectionEnum = builder.enumType('PaymentDirection', {
  description: 'Where a payment went.',
  values: {
    IN: { value: 'in', description: 'A payer paid it.' },
    OUT: { value: 'out', description: 'It was paid out.' },
    BACK: { value: 'back', description: 'The bank returned money that had been paid out.' },
  } as const satisfies Record<string, { value: PaymentDirection; description: string }>,
});

const PaymentUseEnum = builder.enumType('PaymentUse', {
  description: 'How a payment was booked when it was reported. It never changes.',
  values: {
    CREDITED: { value: 'credited', description: 'It completed its order.' },
    PART: { value: 'part', description: 'Partial payment of its order.' },
    UNASKED: { value: 'unasked', description: 'Paid out, but it does not settle its payout. It has a case.' },
    RETURNED: { value: 'returned', description: 'The bank sent it back.' },
    EVIDENCE: {
      value: 'evidence',
      description: 'Operators settled the payout by evidence. No channel reported the payment.',
    },
    CONFIRMED: {
      value: 'confirmed',
      description: 'The channel reported what a statement had shown before. Nothing was booked for it.',
    },
    SUSPENSE: { value: 'suspense', description: 'Held in suspense, with a case.' },
  } as const satisfies Record<string, { value: PaymentUse; description: string }>,
});

const PaymentOutcomeEnum = builder.enumType('PaymentOutcome', {
  description: 'What became of a payment.',
  values: {
    COUNTED: { value: 'counted', description: 'It counts as a part of its order, which is still open.' },
    CREDITED: { value: 'credited', description: 'Credited.' },
    CREDITED_IN_PART: {
      value: 'credited_in_part',
      description: 'Part of it was credited. The rest is held, or was decided otherwise.',
    },
    HELD: { value: 'held', description: 'Held in suspense, until operators decide its case.' },
    RETURNING: { value: 'returning', description: 'The channel is sending it back to the payer.' },
    RETURNED: {
      value: 'returned',
      description: 'Payin: sent back to the payer. Payout: sent out again by the channel.',
    },
    OUT: { value: 'out', description: 'Payout: it left and nothing covers it. It has an open case.' },
    CHARGED: { value: 'charged', description: 'Payout: the merchant paid it.' },
    WRITTEN_OFF: { value: 'written_off', description: 'Payout: the platform bears it.' },
    GIVEN_BACK: { value: 'given_back', description: 'Payout: the channel gave it back.' },
    COVERED: { value: 'covered', description: 'Payout: it is covered by the payout, or covers money that had left.' },
    EVIDENCE: { value: 'evidence', description: 'Confirmed by operators. No channel reported it.' },
    CONFIRMED: { value: 'confirmed', description: 'It confirms a payment that a statement had shown.' },
  } as const satisfies Record<string, { value: PaymentOutcome; description: string }>,
});

/** A payment as its channel reported it. */
export const PaymentType = builder.objectRef<Payment>('Payment').implement({
  description:
    "A payment reported by a channel. Repeated reports are recorded only once. The amount is in the order's currency.",
  fields: (t) => ({
    number: t.exposeInt('seq', { description: 'Number within its order, from 1.' }),
    direction: t.expose('direction', { type: PaymentDirectionEnum, description: 'Where it went.' }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'Reference at the channel. Null: operators saw the payment, or it has none.',
    }),
    channelId: t.exposeString('channelId', { description: 'Channel that reported it.' }),
    amount: t.expose('amount', { type: 'Decimal', description: "Amount, in the order's currency." }),
    use: t.expose('use', {
      type: PaymentUseEnum,
      description: 'How it was booked when it was reported. `outcome` says what became of it.',
    }),
    outcome: t.loadable({
      type: PaymentOutcomeEnum,
      description: 'What became of it.',
      load: async (keys: string[], context) =>
        loaded(await loadPaymentOutcomes(context.domain, scopeOf(context), keys.map(refOfKey))),
      resolve: ({ merchantId, orderNo, seq }) => keyOf(merchantId, orderNo, seq),
    }),
    receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'Time when it was recorded.' }),
  }),
});

function refOfKey(key: string): PaymentRef {
  const [merchantId, orderNo, seq] = partsOf(key);
  return { merchantId, orderNo, seq: Number(seq) };
}
