import * as z from 'zod';
import { generateServiceKey, rotateServiceKey as rotate } from '../../configuration/index.ts';
import { timeText } from '../../core/time-text.ts';
import { changeConfiguration } from '../../ledger/index.ts';
import { count, merchantId } from '../input-schemas.ts';
import { onMerchant } from '../operation.ts';
import { always } from '../second-operator-rule.ts';

// The service signs notifications with these keys (decisions 2.5), so each change needs two operators.

const hourMs = 60 * 60_000;

/** The service key of a merchant, in requests. */
export const serviceKeySubject = 'service key';

export const rotateServiceKey = onMerchant({
  summary:
    "Sign a merchant's notifications with a new key. The old key stays published for an overlap. Needs a second operator.",
  title: () => 'Replace the service key',
  roles: ['admin'],
  input: z.strictObject({
    merchantId: merchantId(),
    overlapHours: count(
      'Time that the old key stays published, in hours. Default: 168. Use 0 for a leaked key: all old keys are removed.',
      [0, 8760],
    ).optional(),
  }),
  subject: () => serviceKeySubject,
  needsSecond: always,
  unforeseen: ['keyId'],
  async execute({ domain, by }, { merchantId, overlapHours = 168 }) {
    const pair = await generateServiceKey();
    const where = { tenant: merchantId, change: 'rotateServiceKey' };
    return changeConfiguration(domain, where, by, async (within) => {
      const value = await rotate(within, merchantId, pair, overlapHours * hourMs);
      const { keyId, retiring } = value;
      const before = { keyId: retiring.keyId };
      const after = { keyId, oldEndsAt: timeText(retiring.retiresAt) };
      return { ok: true, value: { subject: keyId, before, after, value } };
    });
  },
});
