import type { Order } from '@tidegate/domain';
import { builder } from '../graphql/builder.ts';
import { personal } from '../graphql/personal.ts';

type Task = NonNullable<Order['task']>;

const ProofType = builder.objectRef<NonNullable<Task['proof']>>('TaskProof').implement({
  description: 'Proof of payment of a claimed task, as submitted by its operator.',
  fields: (t) => ({
    reference: t.exposeString('reference', { description: 'Reference of the payment.' }),
    payer: t.exposeString('payer', { description: 'Owner of the paying account.' }),
    note: t.exposeString('note', { nullable: true, description: 'Further remarks.' }),
    at: t.expose('at', {
      type: 'DateTime',
      description: 'Time of submission. Send it as `provedAt` to review exactly this proof.',
    }),
  }),
});

/** A claimed payout task. */
export const TaskType = builder.objectRef<Task>('PayoutTask').implement({
  description: 'A claimed payout task.',
  fields: (t) => ({
    claimedBy: t.exposeString('claimedBy', { description: 'Id of the operator who claimed the task.' }),
    askedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time when the claim expired and its operator was asked whether they paid. Null: it has not.',
      resolve: ({ askedAt }) => askedAt ?? null,
    }),
    proof: t.field({
      type: ProofType,
      nullable: true,
      description: 'Proof of payment. Null: none yet. Personal data: hidden from viewers.',
      authScopes: personal,
      resolve: ({ proof }) => proof,
    }),
  }),
});
