import * as z from 'zod';
import { removeFeeRule as remove, setFeeRule as set } from '../../configuration/index.ts';
import type { FeeRule } from '../../core/fee.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { timeText } from '../../core/time-text.ts';
import { changeConfiguration } from '../../ledger/index.ts';
import { bankCode, feePart, instant, kind, merchantId, onOff, percent } from '../input-schemas.ts';
import { onMerchant } from '../operation.ts';
import { always } from '../second-operator-rule.ts';

export const setFeeRule = onMerchant({
  summary:
    'Set the fee of a merchant for payins or payouts. Existing orders keep their terms. Needs a second operator.',
  title: ({ kind, percent, fixed }) => `Set the fee of ${kind}s to ${percent} % + ${fixed}`,
  roles: ['admin'],
  input: z
    .strictObject({
      merchantId: merchantId(),
      kind: kind(),
      percent: percent('Percentage of the order amount, e.g. 2.5.'),
      fixed: feePart('Fixed fee per order, e.g. 0.00.'),
      minimum: feePart('Minimum fee per order.').optional(),
      maximum: feePart('Maximum fee per order.').optional(),
      isRefundable: onOff(
        'Whether the fee of a payout is given back once the bank has returned all of it. Default: it is kept.',
      ).optional(),
      bankCode: bankCode('Applies to this bank code only. Default: to all.').optional(),
      from: instant(
        'Applies to orders created at or after this time. Earlier orders keep the previous rule. Default: now.',
      ).optional(),
    })
    .refine(({ minimum, maximum }) => !minimum || !maximum || cents(minimum) <= cents(maximum), {
      path: ['maximum'],
      message: 'must not be below minimum',
    })
    .refine(({ kind, isRefundable }) => kind === 'payout' || !isRefundable, {
      path: ['isRefundable'],
      message: 'must be of payouts',
    }),
  subject: (input) => subjectOf(input),
  versioned: 'fee rule',
  creates: true,
  needsSecond: always,
  execute: ({ domain, by }, { merchantId, isRefundable, ...input }) => {
    const rule: FeeRule = { ...omitUndefined(input), ...(isRefundable && { isRefundable }) };
    return changeConfiguration(domain, { tenant: merchantId, change: 'setFeeRule' }, by, async (within) => {
      const done = await set(within, merchantId, rule);
      if (!done.ok) return done;
      return { ok: true, value: { subject: subjectOf(rule), ...done.value, value: { merchantId, ...rule } } };
    });
  },
});

export const removeFeeRule = onMerchant({
  summary: 'Remove a scheduled fee rule before it applies. Needs a second operator.',
  title: ({ kind }) => `Remove the scheduled fee of ${kind}s`,
  roles: ['admin'],
  input: z.strictObject({
    merchantId: merchantId(),
    kind: kind(),
    bankCode: bankCode('Bank code of the rule. Default: the rule for all bank codes.').optional(),
    from: instant('Start time of the scheduled rule.'),
  }),
  subject: (input) => subjectOf(input),
  versioned: 'fee rule',
  needsSecond: always,
  execute: ({ domain, by }, { merchantId, ...input }) => {
    const rule = omitUndefined(input);
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
