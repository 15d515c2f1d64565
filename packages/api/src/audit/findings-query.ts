import { auditFindingFilter, pageAuditFindings } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { FindingStateEnum, FindingType } from './finding-type.ts';

const FindingFilter = builder.inputType('AuditFindingFilter', {
  description: 'Which findings. What is left out does not narrow; all that is given has to fit.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Of these merchants, at most 100.' }),
    states: t.field({ type: [FindingStateEnum], description: 'In one of these states.' }),
    rules: t.stringList({ description: 'Of one of these rules.' }),
  }),
});

builder.queryField('auditFindings', (t) =>
  t.connection({
    type: FindingType,
    description: 'What the audit of the ledger found broken, the newest first. There should be none.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: FindingFilter,
        description: 'Which findings; left out: all that you may see.',
        validate: { schema: auditFindingFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('audit_findings', page);
      return connectionOf(await pageAuditFindings(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);
