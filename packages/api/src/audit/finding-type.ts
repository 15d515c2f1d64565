import type { FindingRecord } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';

export const FindingStateEnum = builder.enumType('FindingState', {
  description: 'Whether somebody has dealt with a finding.',
  values: {
    OPEN: { value: 'open', description: 'Nobody has.' },
    REPAIRED: { value: 'repaired', description: 'What was wrong is right again.' },
    ACCEPTED: { value: 'accepted', description: 'It stays as it is, and it is known why.' },
  } as const satisfies Record<string, { value: FindingRecord['state']; description: string }>,
});

/** What the audit found. */
export const FindingType = builder.objectRef<FindingRecord>('AuditFinding').implement({
  description: 'A rule of the ledger that the audit found broken.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'In whose ledger.' }),
    findingNo: t.exposeInt('findingNo', { description: "Its number among the merchant's." }),
    rule: t.exposeString('rule', { description: 'The rule.' }),
    subject: t.exposeString('subject', { description: 'What breaks it: an order, an entry, an account.' }),
    detail: t.exposeString('detail', { description: 'What is, and what should be.' }),
    state: t.expose('state', { type: FindingStateEnum, description: 'Whether somebody has dealt with it.' }),
    foundAt: t.expose('foundAt', { type: 'DateTime', description: 'When it was found first.' }),
    lastFoundAt: t.expose('lastFoundAt', { type: 'DateTime', description: 'When it was found last.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true, description: 'When it was closed.' }),
  }),
});

export const FindingOutcomeEnum = builder.enumType('FindingOutcome', {
  description: 'How a finding was dealt with.',
  values: {
    REPAIRED: { value: 'repaired', description: 'What was wrong is right again; found again it is a new finding.' },
    ACCEPTED: { value: 'accepted', description: 'It stays as it is, and it is known why.' },
  } as const,
});
