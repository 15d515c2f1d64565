import type { MerchantKeyRecord } from '@tidegate/domain/lists';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionOfConfiguration } from '../action/version.ts';
import { builder } from '../graphql/builder.ts';

/** A public key with which a merchant signs. */
export const MerchantKeyType = builder.objectRef<MerchantKeyRecord>('MerchantKey').implement({
  description: 'A public key with which a merchant signs its requests. The service does not have the private key.',
  fields: (t) => ({
    keyId: t.exposeString('keyId', { description: 'Key id: SHA-256 of the public key.' }),
    publicKeyPem: t.exposeString('publicKeyPem', { description: 'Public key as PEM (SPKI).' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time when it was added.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'It is not accepted after this time. Null: no expiry.',
    }),
    version: t.string(versionOfConfiguration((key: MerchantKeyRecord) => ({ type: 'merchant_key', key }))),
    actions: t.field(actionsOf((key: MerchantKeyRecord) => ({ type: 'merchant_key', key }))),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Last use, accurate to a few seconds. Null: never used.',
    }),
  }),
});
