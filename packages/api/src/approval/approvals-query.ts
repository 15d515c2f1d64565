import { approvalFilter, pageApprovals } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { ApprovalStateEnum, ApprovalType } from './approval-type.ts';

const ApprovalFilter = builder.inputType('ApprovalFilter', {
  description: 'Which approvals. What is left out does not narrow; all that is given has to fit.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Of these merchants, at most 100; PLATFORM: of none.' }),
    states: t.field({ type: [ApprovalStateEnum], description: 'In one of these states.' }),
    operations: t.stringList({ description: 'Of one of these mutations.' }),
    askedBy: t.string({ description: 'That this operator asked for.' }),
  }),
});

builder.queryField('approvals', (t) =>
  t.connection({
    type: ApprovalType,
    description: 'What needs two operators, by the time that it was asked for, the newest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: ApprovalFilter,
        description: 'Which approvals; left out: all that you may see.',
        validate: { schema: approvalFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('approvals', page);
      return connectionOf(await pageApprovals(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);
