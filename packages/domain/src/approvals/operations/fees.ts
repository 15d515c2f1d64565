import * as z from 'zod';
import { removeFeeRule as remove, setFeeRule as set } from '../../configuration/index.ts';
import type { FeeRule } from '../../core/fee.ts';
import { timeText } from '../../core/time-text.ts';
import { changeConfiguration } from '../../ledger/index.ts';
import { bankCode, feePart, instant, kind, merchantId, percent } from '../input-schemas.ts';
import { onMerchant } from '../operation.ts';
import { withoutAbsent } from '../without-absent.ts';

export const setFeeRule = onMerchant({
  summary:
    'Set what a merchant pays for payins or payouts; orders keep the terms that they were made with. Two operators have to agree.',
  roles: ['admin'],
  input: z
    .strictObject({
      merchantId: merchantId(),
      kind: kind(),
      percent: percent('Share of the amount, in percent, e.g. 2.5.'),
      fixed: feePart('Fixed part, e.g. 0.00.'),
      minimum: feePart('Smallest fee.').optional(),
      maximum: feePart('Largest fee.').optional(),
      bankCode: bankCode('For orders with this bank code alone.').optional(),
      from: instant(
        'From when it holds: orders created at that moment or later pay by it, earlier ones by the rule before. Left out: from now on.',
      ).optional(),
    })
    .refine(({ minimum, maximum }) => !minimum || !maximum || cents(minimum) <= cents(maximum), {
      path: ['maximum'],
      message: 'must not be below minimum',
    }),
  subject: (input) => subjectOf(input),
  needsSecond: () => true,
  execute: ({ domain, by }, { merchantId, ...input }) => {
    const rule: FeeRule = withoutAbsent(input);
    return changeConfiguration(domain, { tenant: merchantId, change: 'setFeeRule' }, by, async (within) => {
      const done = await set(within, merchantId, rule);
      if (!done.ok) return done;
      return { ok: true, value: { subject: subjectOf(rule), ...done.value, value: { merchantId, ...rule } } };
    });
  },
});

export const removeFeeRule = onMerchant({
  summary: 'Take a fee rule away before it begins. Two operators have to agree.',
  roles: ['admin'],
  input: z.strictObject({
    merchantId: merchantId(),
    kind: kind(),
    bankCode: bankCode('The bank code that it is for, if it is for one.').optional(),
    from: instant('From when it was to hold.'),
  }),
  subject: (input) => subjectOf(input),
  needsSecond: () => true,
  execute: ({ domain, by }, { merchantId, ...input }) => {
    const rule = withoutAbsent(input);
    return changeConfiguration(domain, { tenant: merchantId, change: 'removeFeeRule' }, by, async (within) => {
      const removed = await remove(within, merchantId, rule);
      if (!removed.ok) return removed;
      const recorded = { entity: removed.value, before: { from: timeText(rule.from) } };
      return { ok: true, value: { subject: subjectOf(rule), ...recorded, value: { merchantId, ...rule } } };
    });
  },
});

function subjectOf({ kind, bankCode }: { kind: string; bankCode?: string | undefined }): string {
  return ['fee', kind, bankCode].filter(Boolean).join(' ');
}

function cents(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
