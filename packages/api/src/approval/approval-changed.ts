import { approvalFilter, loadApprovals } from '@tidegate/domain/lists';
import type { Approval } from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';
import { given } from '../graphql/given.ts';
import { listenAs } from '../graphql/listen-as.ts';
import { ApprovalStateEnum, ApprovalType } from './approval-type.ts';

const { merchantIds, states } = approvalFilter.shape;

builder.subscriptionField('approvalChanged', (t) =>
  t.field({
    type: ApprovalType,
    description:
      'New and decided approvals. Nothing is sent when an approval expires: see `expiresAt`. For earlier ones use `approvals`.',
    authScopes: { operator: true },
    args: {
      merchantIds: t.arg.stringList({
        description: 'Any of these merchants, at most 100. Default: all that you may see.',
        validate: given(merchantIds),
      }),
      states: t.arg({
        type: [ApprovalStateEnum],
        description: 'Reached any of these states. Default: all.',
        validate: given(states),
      }),
    },
    subscribe: (_root, wanted, context) =>
      listenAs(context, 'approval', async (changes, { countries, merchantIds }) => {
        const relevant = changes.filter(({ merchantId }) => wanted.merchantIds?.includes(merchantId) ?? true);
        const approvals = await loadApprovals(context.domain, { countries, merchantIds }, relevant);
        return approvals.filter((one): one is Approval => one !== null && (wanted.states?.includes(one.state) ?? true));
      }),
    resolve: (approval) => approval,
  }),
);
