import { type TypeWord, typeTable } from '../reading/type-words.ts';

/** The words of the column 业务类型 (business type). */
const alipayTypes: readonly TypeWord[] = [
  { word: '交易', type: 'payin', source: 'public samples of the detail file of bill_type=trade' },
  { word: '退款', type: 'refund', source: 'public samples of the detail file of bill_type=trade' },
];

export const alipayTypeOf = typeTable(alipayTypes);
