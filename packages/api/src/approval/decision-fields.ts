import { moneyOfApprovals, operations, problemOfDeciding, titleOfApproval } from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';
import { type ApiContext, operatorOf } from '../graphql/context.ts';
import { loaded } from '../graphql/loaded.ts';
import { personal } from '../graphql/personal.ts';
import { OperationNameEnum } from '../operation/operation-names.ts';
import {
  ApprovalChangeType,
  ApprovalFieldType,
  FeasibilityType,
  MoneyValue,
  PermissionType,
} from './approval-details.ts';
import { ApprovalType } from './approval-type.ts';
import { fieldsOf, foreseeOnce } from './foresee-once.ts';

// The facts that an operator needs to decide an approval.

builder.objectFields(ApprovalType, (t) => ({
  operationName: t.field({
    type: OperationNameEnum,
    nullable: true,
    description: 'Requested operation. Null for an operation that this version does not have.',
    resolve: ({ operation }) => (isKnown(operation) ? operation : null),
  }),
  title: t.string({
    description: 'What it does, in a few words, e.g. `Mark paid`. See `money` for amounts.',
    resolve: titleOfApproval,
  }),
  money: t.loadable({
    type: MoneyValue,
    nullable: true,
    description:
      'Money that it is about: what the input names, or the amount of the order, case, break or settlement. Of a bank file, while pending: what it would pay now. Null if it is about none.',
    load: async (approvalIds: string[], context: ApiContext) =>
      loaded(await moneyOfApprovals(context.domain, approvalIds)),
    resolve: ({ approvalId }) => approvalId,
  }),
  fields: t.field({
    type: [ApprovalFieldType],
    nullable: true,
    authScopes: personal,
    description: 'Requested input, field by field. May contain personal data: hidden from viewers.',
    resolve: fieldsOf,
  }),
  changes: t.field({
    type: [ApprovalChangeType],
    nullable: true,
    authScopes: personal,
    description:
      'What approving would change now, before and after. Null if it is not pending or not possible. Hidden from viewers.',
    resolve: async (approval, _args, context) => {
      const { refused, changes } = await foreseeOnce(approval, context);
      return refused ? null : changes;
    },
  }),
  stillPossible: t.field({
    type: FeasibilityType,
    nullable: true,
    authScopes: personal,
    description:
      'Whether the operation would succeed if it was approved now. It is tried and rolled back. Hidden from viewers.',
    resolve: async (approval, _args, context) => (await foreseeOnce(approval, context)).refused ?? 'possible',
  }),
  mayDecide: t.field({
    type: PermissionType,
    description: 'Whether you may approve and reject it, and why not.',
    resolve: async (approval, _args, context) =>
      (await problemOfDeciding(context.domain, operatorOf(context), approval)) ?? 'allowed',
  }),
  mayWithdraw: t.boolean({
    description: 'Whether you may withdraw it: you requested it and it is pending.',
    resolve: ({ requestedBy, state }, _args, context) =>
      state === 'pending' && requestedBy === operatorOf(context).operatorId,
  }),
}));

function isKnown(operation: string): operation is keyof typeof operations {
  return Object.hasOwn(operations, operation);
}
