import * as z from 'zod';
import { setFeeRule as set } from '../../configuration/index.ts';
import type { FeeRule } from '../../core/fee.ts';
import { changeConfiguration } from '../../ledger/index.ts';
import { bankCode, feePart, kind, merchantId, percent } from '../input-schemas.ts';
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
      const entity = await set(within, merchantId, rule);
      return { ok: true, value: { subject: subjectOf(rule), entity, value: { merchantId, ...rule } } };
    });
  },
});

function subjectOf({ kind, bankCode }: { kind: string; bankCode?: string | undefined }): string {
  return ['fee', kind, bankCode].filter(Boolean).join(' ');
}

function cents(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
