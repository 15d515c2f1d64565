import { keyId, parsePublicKey } from '@tidegate/signature';
import * as z from 'zod';
import { addMerchantKey as add, retireMerchantKey as retire } from '../../configuration/index.ts';
import { changeConfiguration } from '../../ledger/index.ts';
import { instant, keyIdOf, merchantId, publicKey } from '../input-schemas.ts';
import { onMerchant } from '../operation.ts';
import { always } from '../second-operator-rule.ts';

// A key proves who the merchant is, so each change needs two operators (overlap of keys: decisions 2.5).

export const addMerchantKey = onMerchant({
  summary: 'Add a public key for a merchant. Its other keys stay valid. Needs a second operator.',
  title: () => 'Add a key',
  roles: ['admin'],
  input: z.strictObject({
    merchantId: merchantId(),
    publicKey: publicKey('RSA public key of 2048 to 8192 bits, as PEM (SPKI or PKCS#1) or base64 DER.'),
  }),
  subject: (input) => keyId(parsePublicKey(input.publicKey)),
  needsSecond: always,
  execute: ({ domain, by }, input) =>
    changeConfiguration(domain, { tenant: input.merchantId, change: 'addMerchantKey' }, by, async (within) => {
      const entity = await add(within, input.merchantId, input.publicKey);
      if (!entity) return { ok: false, rejection: 'key_of_another_merchant' };
      const { keyId } = entity;
      return { ok: true, value: { subject: keyId, entity, value: { merchantId: input.merchantId, keyId } } };
    }),
});

export const retireMerchantKey = onMerchant({
  summary: 'Expire a public key of a merchant, now or later. Needs a second operator.',
  title: () => 'Retire the key',
  roles: ['admin'],
  input: z.strictObject({
    merchantId: merchantId(),
    keyId: keyIdOf('Key id.'),
    endsAt: instant('The key is valid until this time. Default: now.').optional(),
  }),
  subject: (input) => input.keyId,
  versioned: 'key',
  needsSecond: always,
  execute: ({ domain, by }, { merchantId, keyId, endsAt = null }) =>
    changeConfiguration(domain, { tenant: merchantId, change: 'retireMerchantKey' }, by, async (within) => {
      const entity = await retire(within, merchantId, keyId, endsAt);
      if (!entity) return { ok: false, rejection: 'key_not_found' };
      const value = { merchantId, keyId, endsAt: entity.expiresAt.getTime() };
      return { ok: true, value: { subject: keyId, entity, fields: ['expiresAt'], value } };
    }),
});
