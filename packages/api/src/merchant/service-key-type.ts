import type { ServiceKeyRecord } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';

/** A key with which the service signs a merchant's notifications. */
export const ServiceKeyType = builder.objectRef<ServiceKeyRecord>('ServiceKey').implement({
  description:
    "A key with which the service signs a merchant's notifications. Its private part is sealed and never shown.",
  fields: (t) => ({
    keyId: t.exposeString('keyId', { description: 'Key id, as in `X-Key-Id`. Begins with the merchant number.' }),
    publicKeyPem: t.exposeString('publicKeyPem', { description: 'Public key as PEM (SPKI), for the merchant.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation. It signs from then on.' }),
    endsAt: t.expose('retiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Published until this time. Null: it is the current key.',
    }),
  }),
});
