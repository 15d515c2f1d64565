import type { MoneyCase, Refund, RefundState } from '@tidegate/domain';
import { loadLastRefunds } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';
import type { ApiContext } from '../graphql/context.ts';
import { keyOf, loaded, partsOf } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';
import { CaseType } from './case-type.ts';

const RefundStateEnum = builder.enumType('RefundState', {
  description: 'State of a refund.',
  values: {
    REQUESTED: { value: 'requested', description: 'Decided. The channel has given no definite answer yet.' },
    ACCEPTED: { value: 'accepted', description: 'The channel has it, and the money is not back yet.' },
    REFUNDED: { value: 'refunded', description: 'The money was refunded. The case is returned.' },
    FAILED: {
      value: 'failed',
      description:
        'Nothing was refunded, according to the channel or by evidence. The case was opened for another decision.',
    },
  } as const satisfies Record<string, { value: RefundState; description: string }>,
});

const RefundType = builder.objectRef<Refund>('Refund').implement({
  description: 'The money of a case on its way back to its payer through the channel.',
  fields: (t) => ({
    refundNo: t.exposeString('refundNo', {
      description: 'Number of the refund at the channel. Each decision has a new one.',
    }),
    state: t.expose('state', { type: RefundStateEnum, description: 'State of the refund.' }),
    refundRef: t.exposeString('refundRef', {
      nullable: true,
      description: "The channel's own id of the refund. Null: not known yet.",
    }),
    channelId: t.exposeString('channelId', { description: 'Channel that sends the money back.' }),
    lastAnswer: t.exposeString('answer', {
      nullable: true,
      description: "The channel's last answer in a few words. Null: none yet. Hidden from viewers.",
      authScopes: personal,
    }),
    attempts: t.exposeInt('attempt', { description: 'How often the channel was called about it.' }),
    sends: t.exposeInt('sends', { description: 'How often it was sent, always under the same number.' }),
    nextAttemptAt: t.expose('nextActionAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the next call, also after a refund failed by evidence. Null: none.',
    }),
    requestedAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the decision.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of its end. Null: it is under way.',
    }),
  }),
});

builder.objectField(CaseType, 'refund', (t) =>
  t.loadable({
    type: RefundType,
    nullable: true,
    description: 'The last refund through the channel. A failed one stays until there is another. Null: none.',
    load: async (keys: string[], context: ApiContext) =>
      loaded(await loadLastRefunds(context.domain, scopeOf(context), keys.map(caseOf))),
    resolve: ({ merchantId, caseNo }: MoneyCase) => keyOf(merchantId, caseNo),
  }),
);

function caseOf(key: string): { merchantId: string; caseNo: number } {
  const [merchantId, caseNo] = partsOf(key);
  return { merchantId, caseNo: Number(caseNo) };
}
