import type { FindingRecord } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';

export const FindingStateEnum = builder.enumType('FindingState', {
  description: 'State of an audit finding.',
  values: {
    OPEN: { value: 'open', description: 'Not closed yet.' },
    REPAIRED: { value: 'repaired', description: 'The error was fixed.' },
    ACCEPTED: { value: 'accepted', description: 'Left as it is, for a known reason.' },
  } as const satisfies Record<string, { value: FindingRecord['state']; description: string }>,
});

/** A finding of the audit. */
export const FindingType = builder.objectRef<FindingRecord>('AuditFinding').implement({
  description: 'A violation of a ledger rule, found by the audit.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'Merchant number of the ledger.' }),
    findingNo: t.exposeInt('findingNo', { description: 'Number within the merchant: 1, 2, 3 …' }),
    rule: t.exposeString('rule', { description: 'Rule that is violated.' }),
    subject: t.exposeString('subject', { description: 'Order, entry or account that violates the rule.' }),
    detail: t.exposeString('detail', { description: 'Actual and expected values.' }),
    state: t.expose('state', {
      type: FindingStateEnum,
      description: 'Whether the finding is open, repaired or accepted.',
    }),
    foundAt: t.expose('foundAt', { type: 'DateTime', description: 'Time when it was first found.' }),
    lastFoundAt: t.expose('lastFoundAt', { type: 'DateTime', description: 'Time when it was last found.' }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of closing. Null while open.',
    }),
  }),
});
