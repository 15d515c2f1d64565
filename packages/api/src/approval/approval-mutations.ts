import { approve, operations, type Role, reject, withdraw } from '@tidegate/domain/operators';
import { builder } from '../builder.ts';
import { operatorOf } from '../context.ts';
import { problemOf, problemTypes } from '../operation/problems.ts';
import { ApprovalType } from './approval-type.ts';

/** The roles that may request an operation with a second operator may also decide about it. */
const roles: Role[] = [
  ...new Set(Object.values(operations).flatMap((one) => ('needsSecond' in one ? [...one.roles] : []))),
];
const approvalId = 'The approvalId of an approval that another operator asked for.';

builder.mutationField('approve', (t) =>
  t.field({
    type: ApprovalType,
    description: `Agree to what another operator asked for, and do it. You need a role that could have asked: of ${roles.join(', ')}.`,
    authScopes: { roles },
    args: { approvalId: t.arg.string({ required: true, description: approvalId }) },
    errors: { types: problemTypes, union: { name: 'ApproveResult', description: 'What became of it, or why not.' } },
    resolve: async (_root, args, context) => {
      const done = await approve(context.domain, operatorOf(context), args.approvalId);
      if (!done.ok) throw problemOf(done);
      return done.value;
    },
  }),
);

builder.mutationField('reject', (t) =>
  t.field({
    type: ApprovalType,
    description: `Drop what another operator asked for. You need a role that could have asked: of ${roles.join(', ')}.`,
    authScopes: { roles },
    args: {
      approvalId: t.arg.string({ required: true, description: approvalId }),
      reason: t.arg.string({ required: true, description: 'Why not, for the audit log: 1 to 500 characters.' }),
    },
    errors: { types: problemTypes, union: { name: 'RejectResult', description: 'What became of it, or why not.' } },
    resolve: async (_root, args, context) => {
      const done = await reject(context.domain, operatorOf(context), args.approvalId, args.reason);
      if (!done.ok) throw problemOf(done);
      return done.value;
    },
  }),
);

builder.mutationField('withdraw', (t) =>
  t.field({
    type: ApprovalType,
    description: 'Take back what you asked for yourself and nobody has decided yet.',
    authScopes: { operator: true },
    args: {
      approvalId: t.arg.string({ required: true, description: 'The approvalId of what you asked for.' }),
      reason: t.arg.string({ required: true, description: 'Why, for the audit log: 1 to 500 characters.' }),
    },
    errors: { types: problemTypes, union: { name: 'WithdrawResult', description: 'What became of it, or why not.' } },
    resolve: async (_root, args, context) => {
      const done = await withdraw(context.domain, operatorOf(context), args.approvalId, args.reason);
      if (!done.ok) throw problemOf(done);
      return done.value;
    },
  }),
);
