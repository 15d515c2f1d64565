import { auditFindingFilter, pageAuditFindings } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { FindingStateEnum, FindingType } from './finding-type.ts';

const FindingFilter = builder.inputType('AuditFindingFilter', {
  description: 'Filter for audit findings. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    states: t.field({ type: [FindingStateEnum], description: 'In any of these states.' }),
    rules: t.stringList({ description: 'Any of these rules.' }),
  }),
});

builder.queryField('auditFindings', (t) =>
  t.connection({
    type: FindingType,
    description: 'Violations found by the ledger audit, newest first. This list should be empty.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: FindingFilter,
        description: 'Filter. Default: all findings that you may see.',
        validate: { schema: auditFindingFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('audit_findings', page);
      return connectionOf(await pageAuditFindings(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);
