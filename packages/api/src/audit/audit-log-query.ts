import { auditRecordFilter, pageAuditRecords } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { AuditRecordType } from './audit-record-type.ts';

const AuditLogFilter = builder.inputType('AuditLogFilter', {
  description: 'Filter for audit records. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({
      description: 'Any of these merchants, at most 100. Use PLATFORM for records that concern no merchant.',
    }),
    actor: t.string({ description: 'Done or approved by this operator id.' }),
    actions: t.stringList({ description: 'Any of these actions, e.g. `adjustWallet`.' }),
    subject: t.string({ description: 'About this subject: an order, a key or a booking number.' }),
    from: t.field({ type: 'DateTime', description: 'Recorded at or after this time.' }),
    to: t.field({ type: 'DateTime', description: 'Recorded before this time.' }),
  }),
});

builder.queryField('auditLog', (t) =>
  t.connection({
    type: AuditRecordType,
    description: 'Actions of operators, newest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: AuditLogFilter,
        description: 'Filter. Default: all records that you may see.',
        validate: { schema: auditRecordFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('audit_records', page);
      return connectionOf(await pageAuditRecords(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);
