import { findApproval } from '@tidegate/domain/lists';
import { matchingText } from '@tidegate/settings/bounded-text';
import { builder } from '../graphql/builder.ts';
import { scopeOf } from '../graphql/paging.ts';
import { ApprovalType } from './approval-type.ts';

const approvalId = matchingText(62, /^AP[0-9A-Z]{1,60}$/, 'must be AP, then digits and upper-case letters');

builder.queryField('approval', (t) =>
  t.field({
    type: ApprovalType,
    nullable: true,
    description: 'One approval. Null if it does not exist or you may not see it.',
    authScopes: { operator: true },
    args: {
      approvalId: t.arg.string({
        required: true,
        description: 'Approval id: AP, then digits and upper-case letters.',
        validate: { schema: approvalId },
      }),
    },
    resolve: (_root, args, context) => findApproval(context.domain, scopeOf(context), args.approvalId),
  }),
);
