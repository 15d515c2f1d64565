import type { ServiceKeyRecord } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';

/** A key of the service with which it signs a merchant's notifications. */
export const ServiceKeyType = builder.objectRef<ServiceKeyRecord>('ServiceKey').implement({
  description:
    "A key of the service with which it signs a merchant's notifications. Its private part is sealed and never shown.",
  fields: (t) => ({
    keyId: t.exposeString('keyId', { description: 'Its id, as X-Key-Id: it begins with the merchant number.' }),
    publicKeyPem: t.exposeString('publicKeyPem', { description: 'The public key, PEM (SPKI), for the merchant.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    signsFrom: t.expose('signsFrom', {
      type: 'DateTime',
      nullable: true,
      description: 'From when it signs; null: it signs once the common key has ended.',
    }),
    endsAt: t.expose('retiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it stays published; null: it is the current one.',
    }),
  }),
});
