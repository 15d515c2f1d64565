import type { CountryDefinition } from '../definition.ts';
import { payin } from './payin.ts';
import { th } from './words.ts';

declare module '../../core/country.ts' {
  interface CountryCurrencies {
    TH: 'THB';
  }
}

export const thailand: CountryDefinition = {
  code: 'TH',
  name: 'Thailand',
  currency: 'THB',
  currencyName: 'Thai baht',
  dialCode: '66',
  timeZone: 'Asia/Bangkok',
  checkout: { language: 'th', words: th },
  payin,
  payout: null,
  demo: {
    merchants: [{ merchantNo: 'TH10001', name: 'Siam Coffee' }],
    payin: () => ({ amount: '250.50', bankCode: 'QR', extJson: { accountNo: '1234567890' } }),
    payout: null,
    bankCodes: { payin: [], payout: [] },
  },
};
