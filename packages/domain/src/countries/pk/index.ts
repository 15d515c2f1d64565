import type { CountryDefinition } from '../definition.ts';
import { payin } from './payin.ts';
import { payout } from './payout.ts';
import { ur } from './words.ts';

declare module '../../core/country.ts' {
  interface CountryCurrencies {
    PK: 'PKR';
  }
}

export const pakistan: CountryDefinition = {
  code: 'PK',
  name: 'Pakistan',
  currency: 'PKR',
  currencyName: 'Pakistani rupee',
  dialCode: '92',
  timeZone: 'Asia/Karachi',
  checkout: { language: 'ur', words: ur },
  payin,
  payout,
  demo: {
    merchants: [
      { merchantNo: 'PK10001', name: 'Indus Mobile', payoutMode: 'upstream' },
      { merchantNo: 'PK10002', name: 'Karakoram Outdoor', payoutMode: 'market' },
    ],
    // JazzCash asks for the identity number too.
    payin: (notifyUrl) => ({ amount: '5000', payer_mobile: '03001234567', payer_id_no: '3520212345671', notifyUrl }),
    payout: {
      bankCode: 'EASYPAISA',
      payee_realname: 'Ali Khan',
      payee_account: '03001234567',
      payee_mobile: '03001234567',
    },
    bankCodes: { payin: ['QRANDLAUNCH'], payout: ['JAZZCASH', 'EASYPAISA', 'HBL'] },
  },
};
