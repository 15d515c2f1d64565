import type { MerchantKeyRecord } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';

/** A public key with which a merchant signs. */
export const MerchantKeyType = builder.objectRef<MerchantKeyRecord>('MerchantKey').implement({
  description: 'A public key with which a merchant signs. Nobody here has its private one.',
  fields: (t) => ({
    keyId: t.exposeString('keyId', { description: 'The id of the key: the SHA-256 of its public part.' }),
    publicKeyPem: t.exposeString('publicKeyPem', { description: 'The public key, PEM (SPKI).' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when on it verifies nothing; null: it has no end.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it verified a request last, to some seconds; null: never yet.',
    }),
  }),
});
