import type { Payment, PaymentUse } from '@tidegate/domain';
import { builder } from '../builder.ts';

const PaymentUseEnum = builder.enumType('PaymentUse', {
  description: 'What a payment was used for.',
  values: {
    CREDITED: { value: 'credited', description: 'It completed its order.' },
    PART: { value: 'part', description: 'Partial payment of its order.' },
    UNASKED: { value: 'unasked', description: 'Paid out, but it does not settle its payout. It has a case.' },
    RETURNED: { value: 'returned', description: 'The bank sent it back.' },
    EVIDENCE: {
      value: 'evidence',
      description: 'Operators settled the payout by evidence. No channel reported the payment.',
    },
    SUSPENSE: { value: 'suspense', description: 'Held in suspense, with a case.' },
  } as const satisfies Record<string, { value: PaymentUse; description: string }>,
});

/** A payment as its channel reported it. */
export const PaymentType = builder.objectRef<Payment>('Payment').implement({
  description:
    "A payment reported by a channel. Repeated reports are recorded only once. The amount is in the order's currency.",
  fields: (t) => ({
    reference: t.exposeString('reference', { description: 'Reference at the channel.' }),
    channelId: t.exposeString('channelId', { description: 'Channel that reported it.' }),
    amount: t.expose('amount', { type: 'Decimal', description: "Amount, in the order's currency." }),
    use: t.expose('use', { type: PaymentUseEnum, description: 'What the payment was used for.' }),
    receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'Time when it was recorded.' }),
  }),
});
