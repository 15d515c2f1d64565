import type { CountryDefinition } from '../definition.ts';
import { payin } from './payin.ts';
import { zh } from './words.ts';

declare module '../../core/country.ts' {
  interface CountryCurrencies {
    CN: 'CNY';
  }
}

export const china: CountryDefinition = {
  code: 'CN',
  name: 'China',
  currency: 'CNY',
  currencyName: 'Chinese yuan',
  dialCode: '86',
  timeZone: 'Asia/Shanghai',
  checkout: { language: 'zh', words: zh },
  payin,
  payout: null,
  demo: {
    merchants: [{ merchantNo: 'CN10001', name: 'Lotus Books' }],
    payin: (notifyUrl) => ({ countryCode: 'CN', currency: 'CNY', amount: '100.00', notifyUrl }),
    payout: null,
    bankCodes: { payin: [], payout: [] },
  },
};
