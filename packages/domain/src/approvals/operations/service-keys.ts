import * as z from 'zod';
import {
  endCommonServiceKey as end,
  ensureServiceKey,
  generateServiceKey,
  rotateServiceKey as rotate,
  useOwnServiceKey as useOwn,
} from '../../configuration/index.ts';
import { timeText } from '../../core/time-text.ts';
import { changeConfiguration, platformTenant } from '../../ledger/index.ts';
import { count, instant, merchantId } from '../input-schemas.ts';
import { onMerchant, onPlatform } from '../operation.ts';
import { always } from '../second-operator-rule.ts';

// The service signs notifications with these keys (decisions 2.5), so each change needs two operators.

const hourMs = 60 * 60_000;

export const rotateServiceKey = onMerchant({
  summary:
    "Sign a merchant's notifications with a new key. The old key stays published for an overlap. Needs a second operator.",
  roles: ['admin'],
  input: z.strictObject({
    merchantId: merchantId(),
    overlapHours: count(
      'Time that the old key stays published, in hours. Default: 168. Use 0 for a leaked key: all old keys are removed.',
      [0, 8760],
    ).optional(),
  }),
  subject: () => 'service key',
  needsSecond: always,
  unforeseen: ['keyId'],
  async execute({ domain, by }, { merchantId, overlapHours = 168 }) {
    const pair = await generateServiceKey();
    const where = { tenant: merchantId, change: 'rotateServiceKey' };
    return changeConfiguration(domain, where, by, async (within) => {
      const value = await rotate(within, merchantId, pair, overlapHours * hourMs);
      const { keyId, retiring } = value;
      const before = retiring && { keyId: retiring.keyId };
      const after = { keyId, ...(retiring && { oldEndsAt: timeText(retiring.retiresAt) }) };
      return { ok: true, value: { subject: keyId, before, after, value } };
    });
  },
});

export const useOwnServiceKey = onMerchant({
  summary:
    "After an upgrade: sign a merchant's notifications with its own key, not with the common key. Needs a second operator.",
  roles: ['admin'],
  input: z.strictObject({ merchantId: merchantId() }),
  subject: () => 'service key',
  needsSecond: always,
  async execute({ domain, by }, { merchantId }) {
    // Merchants from older versions may have no service key yet.
    await ensureServiceKey(domain.database.pool, domain.vault, merchantId);
    const where = { tenant: merchantId, change: 'useOwnServiceKey' };
    return changeConfiguration(domain, where, by, async (within) => {
      const used = await useOwn(within, merchantId);
      if (!used) return { ok: false, rejection: 'key_not_found' };
      const { entity, ...value } = used;
      const { keyId } = value;
      return { ok: true, value: { subject: keyId, entity, fields: ['signsFrom'], after: { keyId }, value } };
    });
  },
});

export const endCommonServiceKey = onPlatform({
  summary:
    'After an upgrade: set when the common key expires, with which the previous version signed for all merchants. Needs a second operator.',
  roles: ['admin'],
  input: z.strictObject({
    endsAt: instant(
      'It signs until this time for merchants that do not use their own key yet. Default: now.',
    ).optional(),
  }),
  subject: () => 'common service key',
  needsSecond: always,
  execute: ({ domain, by }, { endsAt = null }) =>
    changeConfiguration(domain, { tenant: platformTenant, change: 'endCommonServiceKey' }, by, async (within) => {
      const entity = await end(within, endsAt);
      if (!entity) return { ok: false, rejection: 'common_key_not_found' };
      const value = { keyId: entity.keyId, endsAt: entity.retiresAt.getTime() };
      return { ok: true, value: { subject: entity.keyId, entity, fields: ['retiresAt'], value } };
    }),
});
