import type { CountryDefinition } from '../definition.ts';
import { payin } from './payin.ts';
import { payout } from './payout.ts';
import { hi } from './words.ts';

declare module '../../core/country.ts' {
  interface CountryCurrencies {
    IN: 'INR';
  }
}

export const india: CountryDefinition = {
  code: 'IN',
  name: 'India',
  currency: 'INR',
  currencyName: 'Indian rupee',
  dialCode: '91',
  timeZone: 'Asia/Kolkata',
  checkout: { language: 'hi', words: hi },
  payin,
  payout,
  demo: {
    merchants: [
      { merchantNo: 'IN10001', name: 'Monsoon Travel', payoutMode: 'upstream' },
      { merchantNo: 'IN10002', name: 'Deccan Games', payoutMode: 'upstream' },
    ],
    payin: (notifyUrl) => ({
      countryCode: 'IN',
      currency: 'INR',
      amount: 1999.5,
      notifyUrl,
      metadata: { payerName: 'Asha Rao', payerMobile: '9876543210', returnUrl: 'https://shop.example/thanks' },
    }),
    payout: {
      countryCode: 'IN',
      currency: 'INR',
      receiverName: 'Asha Rao',
      receiverAccount: '12345678901',
      metadata: { ifsc: 'HDFC0001234' },
    },
    bankCodes: { payin: [], payout: [] },
  },
};
