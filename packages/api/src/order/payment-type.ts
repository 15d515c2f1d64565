import type { Payment, PaymentUse } from '@tidegate/domain';
import { builder } from '../builder.ts';

const PaymentUseEnum = builder.enumType('PaymentUse', {
  description: 'What became of a payment.',
  values: {
    CREDITED: { value: 'credited', description: 'It completed its order.' },
    PART: { value: 'part', description: 'It is a part of what its order asks for.' },
    UNASKED: { value: 'unasked', description: 'It left for a payout that it does not settle, and has a case.' },
    RETURNED: { value: 'returned', description: 'The bank sent it back.' },
    EVIDENCE: { value: 'evidence', description: 'Operators saw it and settled the payout; no channel reported it.' },
    SUSPENSE: { value: 'suspense', description: 'It lies in suspense, and has a case.' },
  } as const satisfies Record<string, { value: PaymentUse; description: string }>,
});

/** A payment as its channel reported it. */
export const PaymentType = builder.objectRef<Payment>('Payment').implement({
  description:
    "A payment that a channel told of, booked once however often it is told. Its amount is in the order's currency.",
  fields: (t) => ({
    reference: t.exposeString('reference', { description: "The channel's reference." }),
    channelId: t.exposeString('channelId', { description: 'The channel that told of it.' }),
    amount: t.expose('amount', { type: 'Decimal', description: "How much, in the order's currency." }),
    use: t.expose('use', { type: PaymentUseEnum, description: 'What became of it.' }),
    receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'When it was booked.' }),
  }),
});
