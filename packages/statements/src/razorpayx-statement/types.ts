import { type TypeWord, typeTable } from '../reading/type-words.ts';

const source = 'https://razorpay.com/docs/api/x/transactions/entity';

/** Values of `source.entity`. `bank_transfer` is our own money that we pay into the account. */
const razorpayxTypes: readonly TypeWord[] = [
  { word: 'payout', type: 'payout', source },
  { word: 'reversal', type: 'payout_return', source: 'https://razorpay.com/docs/webhooks/transactions' },
  { word: 'bank_transfer', type: 'adjustment', source },
];

export const razorpayxTypeOf = typeTable(razorpayxTypes);
