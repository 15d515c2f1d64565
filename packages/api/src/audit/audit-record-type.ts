import type { AuditRecord } from '@tidegate/domain/operators';
import { builder } from '../builder.ts';
import { personal } from '../personal.ts';

/** One decision of an operator. */
export const AuditRecordType = builder.objectRef<AuditRecord>('AuditRecord').implement({
  description: 'What an operator did, kept for ever: numbered without gaps and chained by hash, per merchant.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', {
      description: "Whose chain: a merchant's number; PLATFORM for the rest.",
    }),
    auditNo: t.exposeInt('auditNo', { description: 'Its number in the chain: 1, 2, 3 …' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was done.' }),
    actor: t.exposeString('actor', { description: 'The id of the operator who did it, or asked for it.' }),
    approver: t.exposeString('approver', { nullable: true, description: 'The id of the second operator.' }),
    action: t.exposeString('action', { description: 'What was done.' }),
    subject: t.exposeString('subject', { description: 'What it was about: an order, a key, a booking number.' }),
    reason: t.exposeString('reason', { description: 'Why.' }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: 'What exactly, as JSON text; never a secret. It can say who paid a task: not for viewers.',
      authScopes: personal,
    }),
    hash: t.exposeString('hash', { description: 'SHA-256 over the record before and this one.' }),
  }),
});
