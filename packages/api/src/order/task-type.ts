import type { Order } from '@tidegate/domain';
import { builder } from '../builder.ts';
import { personal } from '../personal.ts';

type Task = NonNullable<Order['task']>;

const ProofType = builder.objectRef<NonNullable<Task['proof']>>('TaskProof').implement({
  description: 'How a claimed task was paid, as its operator says.',
  fields: (t) => ({
    reference: t.exposeString('reference', { description: "The payment's reference." }),
    payer: t.exposeString('payer', { description: 'From whose account it was paid.' }),
    note: t.exposeString('note', { nullable: true, description: 'Anything else.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was brought: name it to judge this one alone.' }),
  }),
});

/** A claimed task of the payout market. */
export const TaskType = builder.objectRef<Task>('PayoutTask').implement({
  description: 'A task of the payout market that somebody has claimed.',
  fields: (t) => ({
    claimedBy: t.exposeString('claimedBy', { description: 'The id of the operator who claimed it.' }),
    proof: t.field({
      type: ProofType,
      nullable: true,
      description: 'How it was paid; null: not yet. Personal data: not for viewers.',
      authScopes: personal,
      resolve: ({ proof }) => proof,
    }),
  }),
});
