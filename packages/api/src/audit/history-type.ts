import type { ConfigurationVersion } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';

const FieldChange = builder.objectRef<ConfigurationVersion['changes'][number]>('FieldChange').implement({
  description:
    'What a change of configuration made of one field. Secrets, and who operators are, are never among them.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The field, e.g. "percent".' }),
    before: t.exposeString('before', {
      nullable: true,
      description: 'What it was, as text, or as JSON where it is no text; null: nothing.',
    }),
    after: t.exposeString('after', { nullable: true, description: 'What it is since then; null: nothing.' }),
  }),
});

/** One change of configuration. */
export const ConfigurationVersionType = builder.objectRef<ConfigurationVersion>('ConfigurationVersion').implement({
  description: "A change of a merchant's configuration, or of the platform's.",
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'The merchant number; PLATFORM for the rest.' }),
    version: t.exposeInt('versionNo', { description: 'Its number: 1, 2, 3 … of this merchant, without gaps.' }),
    auditNo: t.exposeInt('auditNo', { description: 'The number of its record in `auditLog`.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was made.' }),
    actor: t.exposeString('actor', { description: 'The id of the operator who made it, or asked for it.' }),
    approver: t.exposeString('approver', { nullable: true, description: 'The id of the second operator.' }),
    approvalId: t.exposeString('approvalId', { nullable: true, description: 'The approval that allowed it.' }),
    action: t.exposeString('action', { description: 'What was done, e.g. "setFeeRule".' }),
    subject: t.exposeString('subject', { description: 'What it was about: a fee rule, a route, a key.' }),
    reason: t.exposeString('reason', { description: 'Why.' }),
    changes: t.field({
      type: [FieldChange],
      description: 'What it made of each field that it changed.',
      resolve: ({ changes }) => changes,
    }),
  }),
});
