import type { Approval, ApprovalState } from '@tidegate/domain/operators';
import { openRequestedAccounts, versionOfApproval } from '@tidegate/domain/operators';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionDescription } from '../action/version.ts';
import { builder } from '../graphql/builder.ts';
import type { ApiContext } from '../graphql/context.ts';
import { loaded } from '../graphql/loaded.ts';
import { personal } from '../graphql/personal.ts';
import { BankAccountType } from '../operation/bank-account-type.ts';

export const ApprovalStateEnum = builder.enumType('ApprovalState', {
  description: 'State of an operation that needs two operators.',
  values: {
    PENDING: { value: 'pending', description: 'Waiting for a second operator.' },
    EXECUTED: { value: 'executed', description: 'Approved and executed.' },
    REJECTED: { value: 'rejected', description: 'Rejected by a second operator.' },
    EXPIRED: { value: 'expired', description: 'Not decided in time.' },
    FAILED: { value: 'failed', description: 'Approved, but the execution failed.' },
    WITHDRAWN: { value: 'withdrawn', description: 'Withdrawn by the operator who requested it.' },
  } as const satisfies Record<string, { value: ApprovalState; description: string }>,
});

/** A kept effect, sentence by sentence. */
function sentences(effect: string | null): string[] | null {
  return effect === null ? null : effect.split('\n').filter((sentence) => sentence !== '');
}

/** A pending or decided approval. */
export const ApprovalType = builder.objectRef<Approval>('Approval').implement({
  description: 'An operation that needs two operators. One requests it, another one decides.',
  fields: (t) => ({
    approvalId: t.exposeString('approvalId', {
      description: 'Approval id: AP, then digits and upper-case letters.',
    }),
    operation: t.exposeString('operation', { description: 'Requested mutation, e.g. `adjustWallet`.' }),
    subject: t.exposeString('subject', {
      description: 'Subject of the operation: an order, a key or a booking number.',
    }),
    merchantId: t.exposeString('merchantId', {
      description: 'Merchant number. PLATFORM if it concerns no merchant.',
    }),
    input: t.string({
      nullable: true,
      authScopes: personal,
      description:
        'Requested input as JSON text, without the values of secrets. May contain personal data: hidden from viewers.',
      resolve: ({ input }) => JSON.stringify(input),
    }),
    bankAccount: t.loadable({
      type: BankAccountType,
      nullable: true,
      description: 'Bank account that it would set. Hidden from viewers. Null if it sets none, or is decided.',
      authScopes: personal,
      load: async (approvalIds: string[], context: ApiContext) =>
        loaded(await openRequestedAccounts(context.domain, approvalIds)),
      resolve: ({ approvalId, operation, state }: Approval) =>
        ['setSettlementCycle', 'createSettlementFile'].includes(operation) && state === 'pending' ? approvalId : null,
    }),
    state: t.field({ type: ApprovalStateEnum, description: 'Current state.', resolve: ({ state }) => state }),
    reason: t.exposeString('reason', { description: 'Reason given with the request.' }),
    requestedBy: t.exposeString('requestedBy', { description: 'Id of the operator who requested it.' }),
    requestedAt: t.expose('requestedAt', { type: 'DateTime', description: 'Time of the request.' }),
    version: t.string({ description: versionDescription, resolve: versionOfApproval }),
    actions: t.field(actionsOf((approval: Approval) => ({ type: 'approval', approval }))),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'It can be decided until this time.' }),
    decidedBy: t.exposeString('decidedBy', {
      nullable: true,
      description: 'Id of the operator who decided or withdrew it. Null while pending.',
    }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true, description: 'Time of the decision.' }),
    effect: t.stringList({
      nullable: true,
      authScopes: personal,
      description:
        'Agreed effect on money, statuses and notifications, a sentence each. If it would be another one at the approval, nothing is done. Null if it was requested before effects were kept. Hidden from viewers.',
      resolve: ({ effect }) => sentences(effect),
    }),
    effectNow: t.stringList({
      nullable: true,
      authScopes: personal,
      description: 'Effect that it would have had when approved, if it failed for that reason. Hidden from viewers.',
      resolve: ({ effectNow }) => sentences(effectNow),
    }),
    outcome: t.exposeString('outcome', {
      nullable: true,
      description: 'Reason for the rejection, withdrawal or failure.',
    }),
  }),
});

builder.objectField(ApprovalType, 'alsoSubjects', (t) =>
  t.exposeStringList('alsoSubjects', {
    description:
      'Further objects that it decides about, such as cases that are credited together. While it waits, no other request about them may.',
  }),
);
