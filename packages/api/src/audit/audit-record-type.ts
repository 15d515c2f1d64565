import type { AuditRecord } from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';
import { personal } from '../graphql/personal.ts';

/** One decision of an operator. */
export const AuditRecordType = builder.objectRef<AuditRecord>('AuditRecord').implement({
  description:
    'One action of an operator, kept permanently. Records are numbered without gaps per merchant, and covered by its ledger chain.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', {
      description: 'Merchant number. PLATFORM if it concerns no merchant.',
    }),
    auditNo: t.exposeInt('auditNo', { description: 'Number of the record: 1, 2, 3 …' }),
    at: t.expose('at', { type: 'DateTime', description: 'Time of the action.' }),
    actor: t.exposeString('actor', { description: 'Id of the operator who did or requested it.' }),
    approver: t.exposeString('approver', {
      nullable: true,
      description: 'Id of the second operator. Null if none was needed.',
    }),
    action: t.exposeString('action', { description: 'Name of the action.' }),
    subject: t.exposeString('subject', { description: 'Subject of the action: an order, a key or a booking number.' }),
    reason: t.exposeString('reason', { description: 'Reason.' }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: 'Details as JSON text, without secrets. May contain personal data: hidden from viewers.',
      authScopes: personal,
    }),
    batchNo: t.exposeInt('batchNo', { description: 'Batch of the ledger chain that covers the record.' }),
  }),
});
