import { auditRecordFilter, pageAuditRecords } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { AuditRecordType } from './audit-record-type.ts';

const AuditLogFilter = builder.inputType('AuditLogFilter', {
  description: 'Which records. What is left out does not narrow; all that is given has to fit.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Of these chains, at most 100; PLATFORM: what concerns no merchant.' }),
    actor: t.string({ description: 'Done or approved by this operator.' }),
    actions: t.stringList({ description: 'One of these, e.g. "adjustWallet".' }),
    subject: t.string({ description: 'About this.' }),
    from: t.field({ type: 'DateTime', description: 'At this moment or later.' }),
    to: t.field({ type: 'DateTime', description: 'Before this moment.' }),
  }),
});

builder.queryField('auditLog', (t) =>
  t.connection({
    type: AuditRecordType,
    description: 'What operators did, the newest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: AuditLogFilter,
        description: 'Which records; left out: all that you may see.',
        validate: { schema: auditRecordFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('audit_records', page);
      return connectionOf(await pageAuditRecords(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);
