import { approvalFilter, pageApprovals } from '@tidegate/domain/lists';
import { findDecidable } from '@tidegate/domain/operators';
import * as z from 'zod';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { ApprovalStateEnum, ApprovalType } from './approval-type.ts';

const ApprovalFilter = builder.inputType('ApprovalFilter', {
  description: 'Filter for approvals. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({
      description: 'Any of these merchants, at most 100. Use PLATFORM for approvals that concern no merchant.',
    }),
    states: t.field({ type: [ApprovalStateEnum], description: 'In any of these states.' }),
    operations: t.stringList({ description: 'Any of these mutations, e.g. `adjustWallet`.' }),
    requestedBy: t.string({ description: 'Requested by this operator id.' }),
    subject: t.string({
      description: 'About this object, alone or among others, e.g. an order number, `case 5` or `break 5`.',
    }),
    waitingForMe: t.boolean({ description: 'If true: only pending approvals that you may decide.' }),
  }),
});

const filterSchema = approvalFilter.extend({ waitingForMe: z.boolean().nullish() });

builder.queryField('approvals', (t) =>
  t.connection({
    type: ApprovalType,
    description: 'Operations that need two operators, newest request first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: ApprovalFilter,
        description: 'Filter. Default: all approvals that you may see.',
        validate: { schema: filterSchema },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const { waitingForMe, ...wanted } = filter ?? {};
      const scope = scopeOf(context);
      const decidable = waitingForMe ? await findDecidable(context.domain, operatorOf(context)) : undefined;
      return connectionOf(await pageApprovals(context.domain, scope, wanted, pageOf('approvals', page), decidable));
    },
  }),
);
