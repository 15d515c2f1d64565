// Copy to packages/domain/src/countries/vn/ (docs/developers/add-a-country.md): imports are relative to there.
import type { CountryDefinition } from '../definition.ts';
import { payin } from './payin.ts';
import { payout } from './payout.ts';
import { vi } from './words.ts';

declare module '../../core/country.ts' {
  interface CountryCurrencies {
    VN: 'VND';
  }
}

export const vietnam: CountryDefinition = {
  code: 'VN',
  name: 'Vietnam',
  currency: 'VND',
  currencyName: 'Vietnamese dong',
  dialCode: '84',
  timeZone: 'Asia/Ho_Chi_Minh',
  checkout: { language: 'vi', words: vi },
  payin,
  payout,
  demo: {
    merchants: [{ merchantNo: 'VN10001', name: 'Hanoi Tea', payoutMode: 'upstream' }],
    payin: (notifyUrl) => ({ amount: '250000', payerName: 'Nguyen Van An', notifyUrl }),
    payout: { bankCode: 'VCB', payeeName: 'Tran Thi Binh', payeeAccount: '0123456789' },
    bankCodes: { payin: [], payout: ['VCB'] },
  },
};
