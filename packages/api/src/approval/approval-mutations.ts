import { approve, operations, type Role, reject, withdraw } from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { expectedVersion, versionGiven } from '../operation/expected-version.ts';
import { problemOf, problemTypes } from '../operation/problems.ts';
import { ApprovalType } from './approval-type.ts';

/** Roles that may request an operation with a second operator may also approve one. */
const roles: Role[] = [
  ...new Set(Object.values(operations).flatMap((one) => ('needsSecond' in one ? [...one.roles] : []))),
];
const approvalId = "The `approvalId` of another operator's request.";

builder.mutationField('approve', (t) =>
  t.field({
    type: ApprovalType,
    description: `Approve and execute the request of another operator. You need a role that may request the operation, one of ${roles.join(', ')}.`,
    authScopes: { roles },
    args: {
      approvalId: t.arg.string({ required: true, description: approvalId }),
      expectedVersion: t.arg.string({ description: expectedVersion('approval') }),
    },
    errors: {
      types: problemTypes,
      union: { name: 'ApproveResult', description: 'The approval after the decision, or the reason for the refusal.' },
    },
    resolve: async (_root, args, context) => {
      const done = await approve(context.domain, operatorOf(context), args.approvalId, versionGiven(args));
      if (!done.ok) throw problemOf(done);
      return done.value;
    },
  }),
);

builder.mutationField('reject', (t) =>
  t.field({
    type: ApprovalType,
    description: `Reject the request of another operator. You need a role that may request the operation, one of ${roles.join(', ')}.`,
    authScopes: { roles },
    args: {
      approvalId: t.arg.string({ required: true, description: approvalId }),
      reason: t.arg.string({
        required: true,
        description: 'Reason for the rejection, for the audit log, 1 to 500 characters.',
      }),
      expectedVersion: t.arg.string({ description: expectedVersion('approval') }),
    },
    errors: {
      types: problemTypes,
      union: { name: 'RejectResult', description: 'The approval after the decision, or the reason for the refusal.' },
    },
    resolve: async (_root, args, context) => {
      const done = await reject(context.domain, operatorOf(context), args.approvalId, args.reason, versionGiven(args));
      if (!done.ok) throw problemOf(done);
      return done.value;
    },
  }),
);

builder.mutationField('withdraw', (t) =>
  t.field({
    type: ApprovalType,
    description: 'Withdraw your own pending request.',
    authScopes: { operator: true },
    args: {
      approvalId: t.arg.string({ required: true, description: 'The `approvalId` of your own request.' }),
      reason: t.arg.string({ required: true, description: 'Reason for the audit log, 1 to 500 characters.' }),
      expectedVersion: t.arg.string({ description: expectedVersion('approval') }),
    },
    errors: {
      types: problemTypes,
      union: { name: 'WithdrawResult', description: 'The approval after the decision, or the reason for the refusal.' },
    },
    resolve: async (_root, args, context) => {
      const done = await withdraw(
        context.domain,
        operatorOf(context),
        args.approvalId,
        args.reason,
        versionGiven(args),
      );
      if (!done.ok) throw problemOf(done);
      return done.value;
    },
  }),
);
