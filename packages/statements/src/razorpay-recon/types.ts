import { type TypeWord, typeTable } from '../reading/type-words.ts';

const source = 'https://razorpay.com/docs/api/settlements/fetch-recon';

/** The values of `type`. A transfer goes to a linked account, so it is not one of our payouts. */
const razorpayTypes: readonly TypeWord[] = [
  { word: 'payment', type: 'payin', source },
  { word: 'refund', type: 'refund', source },
  { word: 'transfer', type: 'adjustment', source },
  { word: 'adjustment', type: 'adjustment', source },
];

export const razorpayTypeOf = typeTable(razorpayTypes);
