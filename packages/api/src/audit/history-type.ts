import type { ConfigurationVersion } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';

const FieldChange = builder.objectRef<ConfigurationVersion['changes'][number]>('FieldChange').implement({
  description: 'Change of one field. Secrets and the identities of operators are never included.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Name of the field, e.g. "percent".' }),
    before: t.exposeString('before', {
      nullable: true,
      description: 'Previous value, as text or JSON. Null: none.',
    }),
    after: t.exposeString('after', { nullable: true, description: 'New value, as text or JSON. Null: none.' }),
  }),
});

/** One change of the configuration. */
export const ConfigurationVersionType = builder.objectRef<ConfigurationVersion>('ConfigurationVersion').implement({
  description: 'One change of the configuration of a merchant or of the platform.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'Merchant number. PLATFORM if it concerns no merchant.' }),
    version: t.exposeInt('versionNo', { description: 'Number within the merchant: 1, 2, 3 … without gaps.' }),
    auditNo: t.exposeInt('auditNo', { description: 'Number of its record in `auditLog`.' }),
    at: t.expose('at', { type: 'DateTime', description: 'Time of the change.' }),
    actor: t.exposeString('actor', { description: 'Id of the operator who made or requested the change.' }),
    approver: t.exposeString('approver', {
      nullable: true,
      description: 'Id of the second operator. Null if none was needed.',
    }),
    approvalId: t.exposeString('approvalId', {
      nullable: true,
      description: 'Approval id. Null if no approval was needed.',
    }),
    action: t.exposeString('action', { description: 'Name of the action, e.g. "setFeeRule".' }),
    subject: t.exposeString('subject', {
      description: 'Subject of the change, e.g. a fee rule, a channel or a merchant.',
    }),
    reason: t.exposeString('reason', { description: 'Reason.' }),
    changes: t.field({
      type: [FieldChange],
      description: 'Changed fields.',
      resolve: ({ changes }) => changes,
    }),
  }),
});
