import { changeConfiguration, setFeeRule } from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, given, optional, required } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { bankCode, feePart, kind, merchantNo, percent } from '../readers.ts';

export const setFee = defineCommand({
  name: 'set-fee',
  group: 'Merchants',
  summary: 'set what a merchant pays for payins or payouts; orders keep the terms that they were made with',
  kind: 'change',
  role: 'admin',
  fields: {
    merchant: argument('<merchant>', 'its merchant number', merchantNo),
    kind: required('--kind <kind>', 'payin or payout', kind),
    percent: required('--percent <percent>', 'share of the amount, e.g. 2.5', percent),
    fixed: required('--fixed <amount>', 'fixed part, e.g. 0.00', feePart),
    minimum: optional('--minimum <amount>', 'smallest fee', feePart),
    maximum: optional('--maximum <amount>', 'largest fee', feePart),
    bankCode: optional('--bank-code <code>', 'for this bank code alone', bankCode),
  },
  async run({ domain, by }, { merchant, kind, percent, fixed, ...rest }) {
    if (!(await findMerchant(domain, merchant))) return noMerchant(merchant);
    const { minimum, maximum } = rest;
    if (minimum !== undefined && maximum !== undefined && cents(maximum) < cents(minimum))
      return refused(`the largest fee ${maximum} is below the smallest ${minimum}`);
    const rule = { kind, percent, fixed, ...given(rest) };
    const subject = [kind, rest.bankCode].filter(Boolean).join(' ');
    await changeConfiguration(
      domain,
      { merchantId: merchant, change: 'setFeeRule', subject, settings: rule },
      by,
      async () => {
        await setFeeRule(domain, merchant, rule);
        return true;
      },
    );
    return done(`${merchant} pays ${percent} % + ${fixed} for ${subject}.`, { merchantNo: merchant, ...rule });
  },
});

function cents(amount: string): bigint {
  const [whole = '', decimals = ''] = amount.split('.');
  return BigInt(whole + decimals.padEnd(2, '0'));
}
