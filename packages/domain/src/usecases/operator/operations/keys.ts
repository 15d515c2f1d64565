import { keyId, parsePublicKey } from '@tidegate/signature';
import * as z from 'zod';
import { addMerchantKey as add } from '../../add-merchant-key.ts';
import { changeConfiguration, platformTenant } from '../../change-configuration.ts';
import { retireMerchantKey as retire } from '../../retire-merchant-key.ts';
import { makeServiceKey, type RotatedServiceKey, rotateServiceKey as rotate } from '../../rotate-service-key.ts';
import { count, instant, keyIdOf, merchantId, publicKey } from '../input-forms.ts';
import { onMerchant, onPlatform } from '../operation.ts';

// Keys say who somebody is, so that two operators have to agree on each change (decisions 2.5 for the overlaps).

export const addMerchantKey = onMerchant({
  summary: 'Add a public key with which a merchant may sign, beside those that it has; two operators have to agree.',
  roles: ['admin'],
  input: z.strictObject({
    merchantId: merchantId(),
    publicKey: publicKey('The public key: PEM (SPKI or PKCS#1) or bare base64 DER, RSA of 2048 to 8192 bits.'),
  }),
  subject: (input) => keyId(parsePublicKey(input.publicKey)),
  needsSecond: () => true,
  execute: ({ domain, by }, input) =>
    changeConfiguration(domain, { tenant: input.merchantId, change: 'addMerchantKey' }, by, async (within) => {
      const id = await add(within, input.merchantId, input.publicKey);
      const value = { merchantId: input.merchantId, keyId: id };
      return { ok: true, value: { subject: id, before: null, after: { endsAt: null }, value } };
    }),
});

export const retireMerchantKey = onMerchant({
  summary: "End one of a merchant's public keys, at once or after an overlap; two operators have to agree.",
  roles: ['admin'],
  input: z.strictObject({
    merchantId: merchantId(),
    keyId: keyIdOf('The id of the key.'),
    endsAt: instant('Until when it still verifies; left out: at once.').optional(),
  }),
  subject: (input) => input.keyId,
  needsSecond: () => true,
  execute: ({ domain, by }, { merchantId, keyId, endsAt = null }) =>
    changeConfiguration(domain, { tenant: merchantId, change: 'retireMerchantKey' }, by, async (within) => {
      const ends = await retire(within, merchantId, keyId, endsAt);
      if (!ends) return { ok: false, rejection: 'key_not_found' };
      const value = { merchantId, keyId, endsAt: ends.after };
      const told = { before: { endsAt: timeText(ends.before) }, after: { endsAt: timeText(ends.after) } };
      return { ok: true, value: { subject: keyId, ...told, value } };
    }),
});

const hourMs = 60 * 60_000;

export const rotateServiceKey = onPlatform({
  summary:
    'Sign with a new key from now on, and publish the old one for an overlap beside it; two operators have to agree.',
  roles: ['admin'],
  input: z.strictObject({
    overlapHours: count(
      'How long the old key stays published, in hours; 0: no longer, for a key that leaked. Default 168.',
      [0, 8760],
    ).optional(),
  }),
  subject: () => 'service key',
  needsSecond: () => true,
  async execute({ domain, by }, { overlapHours = 168 }) {
    const pair = await makeServiceKey();
    const where = { tenant: platformTenant, change: 'rotateServiceKey' };
    return changeConfiguration<RotatedServiceKey>(domain, where, by, async (within) => {
      const value = await rotate(within, pair, overlapHours * hourMs);
      const retiring = value.retiring.map(({ keyId, retiresAt }) => ({ keyId, retiresAt: timeText(retiresAt) }));
      const told = { before: { keyIds: retiring.map(({ keyId }) => keyId) }, after: { keyId: value.keyId, retiring } };
      return { ok: true, value: { subject: value.keyId, ...told, value } };
    });
  },
});

function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
