// Copy to packages/domain/src/countries/vn/ (docs/developers/add-a-country.md): imports are relative to there.
import { readBody } from '@tidegate/signature';
import { expect, test } from 'vitest';
import { networks } from '../../core/address.ts';
import { payin } from './payin.ts';
import { payout } from './payout.ts';

const options = { acceptDeprecatedFields: false, notifyNetworks: networks([]) };
const read = (value: object) => readBody(Buffer.from(JSON.stringify(value))).value;

test('a payin needs the name of its payer', () => {
  const parsed = payin.parse(read({ merchantOrderNo: 'M-1', amount: '1' }), options);
  expect(parsed).toEqual({ ok: false, problems: [{ path: 'payerName', reason: 'is required' }] });
});

test('a payout needs a bank and an account of 6 to 34 letters or digits', () => {
  const sent = { merchantOrderNo: 'M-1', amount: '1', payeeName: 'Tran Thi Binh', payeeAccount: '12-34' };
  const parsed = payout.parse(read(sent), options);
  expect(parsed).toEqual({
    ok: false,
    problems: [
      { path: 'bankCode', reason: 'is required' },
      { path: 'payeeAccount', reason: 'must be 6 to 34 letters or digits' },
    ],
  });
});
