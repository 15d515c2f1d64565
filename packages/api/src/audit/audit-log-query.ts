import { auditRecordFilter, pageAuditRecords } from '@tidegate/domain/lists';
import { hasRole } from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';
import { AuditRecordType } from './audit-record-type.ts';

export const AuditLogFilter = builder.inputType('AuditLogFilter', {
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
    text: t.string({
      description:
        'Part of the action, subject, reason or operator id; upper and lower case are equal. Details are searched too if you may see them. A page can have fewer entries than requested although more follow.',
    }),
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
      const withDetail = hasRole(operatorOf(context), [...personal.roles]);
      return connectionOf(
        await pageAuditRecords(context.domain, scopeOf(context), filter ?? {}, request, { withDetail }),
      );
    },
  }),
);
