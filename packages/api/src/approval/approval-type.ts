import type { Approval, ApprovalState } from '@tidegate/domain/operators';
import { builder } from '../builder.ts';
import { personal } from '../personal.ts';

export const ApprovalStateEnum = builder.enumType('ApprovalState', {
  description: 'Where an operation that needs two operators stands.',
  values: {
    PENDING: { value: 'pending', description: 'It waits for the second operator.' },
    EXECUTED: { value: 'executed', description: 'It was approved and is done.' },
    REJECTED: { value: 'rejected', description: 'The second operator dropped it.' },
    EXPIRED: { value: 'expired', description: 'Nobody decided in time.' },
    FAILED: { value: 'failed', description: 'It was approved, and then could not be done.' },
    WITHDRAWN: { value: 'withdrawn', description: 'Whoever asked for it took it back.' },
  } as const satisfies Record<string, { value: ApprovalState; description: string }>,
});

/** An operation that waits for a second operator, or was decided. */
export const ApprovalType = builder.objectRef<Approval>('Approval').implement({
  description: 'An operation that two operators have to agree on: asked for by one, decided by another.',
  fields: (t) => ({
    approvalId: t.exposeString('approvalId', {
      description: 'What it is called: AP, then digits and capital letters.',
    }),
    operation: t.exposeString('operation', { description: 'The mutation that was asked for, e.g. adjustWallet.' }),
    subject: t.exposeString('subject', { description: 'What it is about: an order, a key, a booking number.' }),
    merchantId: t.exposeString('merchantId', {
      description: "The merchant that it concerns; PLATFORM for the platform's own.",
    }),
    input: t.string({
      nullable: true,
      authScopes: personal,
      description:
        'What was asked for, as JSON text; of secrets their names alone. It can say who paid a task: not for viewers.',
      resolve: ({ input }) => JSON.stringify(input),
    }),
    state: t.field({ type: ApprovalStateEnum, description: 'Where it stands now.', resolve: ({ state }) => state }),
    reason: t.exposeString('reason', { description: 'Why it was asked for.' }),
    askedBy: t.exposeString('askedBy', { description: 'The id of the operator who asked.' }),
    askedAt: t.expose('askedAt', { type: 'DateTime', description: 'When it was asked for.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be decided.' }),
    decidedBy: t.exposeString('decidedBy', {
      nullable: true,
      description: 'The id of the operator who decided, or withdrew it; null until then.',
    }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true, description: 'When it was decided.' }),
    outcome: t.exposeString('outcome', { nullable: true, description: 'Why it was rejected or withdrawn, or failed.' }),
  }),
});
