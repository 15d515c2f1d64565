import type { AuditRecord } from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';
import { personal } from '../graphql/personal.ts';

/** One decision of an operator. */
export const AuditRecordType = builder.objectRef<AuditRecord>('AuditRecord').implement({
  description:
    'One action of an operator, kept permanently. Records are numbered without gaps and chained by hash, per merchant.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', {
      description: 'Merchant number of the chain. PLATFORM if it concerns no merchant.',
    }),
    auditNo: t.exposeInt('auditNo', { description: 'Number in the chain: 1, 2, 3 …' }),
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
    hash: t.exposeString('hash', { description: 'SHA-256 of the previous hash and this record.' }),
  }),
});
