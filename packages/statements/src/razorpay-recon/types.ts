import { type TypeWord, typeTable } from '../reading/type-words.ts';

const source = 'https://razorpay.com/docs/api/settlements/fetch-recon';

/** Values of `type`. A transfer goes to a linked account, which is no payout of ours. */
const razorpayTypes: readonly TypeWord[] = [
  { word: 'payment', type: 'payin', source },
  { word: 'refund', type: 'refund', source },
  { word: 'transfer', type: 'adjustment', source },
  { word: 'adjustment', type: 'adjustment', source },
];

export const razorpayTypeOf = typeTable(razorpayTypes);
