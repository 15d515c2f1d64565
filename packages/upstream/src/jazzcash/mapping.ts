/**
 * What a response code says about a payment.
 * - `refused`: JazzCash checked the request and did not carry it out. After a create it never will.
 * - `missing`: JazzCash has no such transaction.
 * - `refunded`: the payment was refunded to the payer.
 */
export type PaymentState = 'paid' | 'pending' | 'refused' | 'failed' | 'expired' | 'missing' | 'refunded' | 'unknown';

interface CodeRow {
  code: string;
  state: PaymentState;
  /** The text of JazzCash, shortened. */
  words: string;
  source: Source;
}

/**
 * - `status`: the list of response codes gives the status that merchants have to map it to.
 * - `words`: the list gives no status; the words leave no doubt.
 * - `guide`: the Status Inquiry Guide of 2026.
 * - `doubt`: the list gives no status, or one that the words do not prove. It may have been paid.
 * docs/channels/jazzcash.md names the documents.
 */
type Source = 'status' | 'words' | 'guide' | 'doubt';

/** All known codes; every other code is unknown. */
// biome-ignore format: a table is read by its columns
const codes: readonly CodeRow[] = [
  { code: '000', state: 'paid', words: 'transaction was successful', source: 'status' },
  { code: '121', state: 'paid', words: 'transaction is completed', source: 'guide' },
  { code: '124', state: 'pending', words: 'order is placed', source: 'status' },
  { code: '157', state: 'pending', words: 'transaction is pending', source: 'words' },
  { code: '210', state: 'pending', words: 'authorization pending', source: 'words' },
  { code: '101', state: 'refused', words: 'invalid merchant credentials', source: 'status' },
  { code: '105', state: 'refused', words: 'exceeds the merchant’s limit', source: 'status' },
  { code: '110', state: 'refused', words: 'invalid value of a field', source: 'status' },
  { code: '111', state: 'refused', words: 'not allowed on merchant or bank', source: 'status' },
  { code: '115', state: 'refused', words: 'invalid hash received', source: 'status' },
  { code: '118', state: 'refused', words: 'not allowed due to maintenance', source: 'status' },
  { code: '112', state: 'failed', words: 'cancelled by user', source: 'status' },
  { code: '129', state: 'failed', words: 'transaction is dropped', source: 'status' },
  { code: '116', state: 'expired', words: 'transaction expired', source: 'words' },
  { code: '109', state: 'missing', words: 'transaction does not exist', source: 'words' },
  { code: '131', state: 'refunded', words: 'transaction is refunded', source: 'words' },
  { code: '122', state: 'unknown', words: 'reversed', source: 'doubt' },
  { code: '055', state: 'unknown', words: 'host link down', source: 'doubt' },
  { code: '058', state: 'unknown', words: 'transaction timed out', source: 'doubt' },
  { code: '062', state: 'unknown', words: 'host offline', source: 'doubt' },
  { code: '134', state: 'unknown', words: 'transaction has timed out', source: 'doubt' },
  { code: '199', state: 'unknown', words: 'system error', source: 'doubt' },
  { code: '403', state: 'unknown', words: 'transaction has timed out', source: 'doubt' },
  { code: '406', state: 'unknown', words: 'system error', source: 'doubt' },
  { code: '999', state: 'unknown', words: 'failed due to some technical issue', source: 'doubt' },
];

const byCode = new Map(codes.map((row) => [row.code, row]));

/** The state that a code means without further fields. */
export function stateOfCode(code: string): PaymentState {
  return byCode.get(code)?.state ?? 'unknown';
}

/** A code with its words, for histories. */
export function describeCode(code: string): string {
  return `${code} ${byCode.get(code)?.words ?? 'not a known code'}`;
}

/**
 * The state of a payment by an inquiry: by the code of the payment and `pp_Status`. If these contradict each other, the
 * state is unknown. `Failed` is the gateway's final status and needs no known code.
 */
export function stateOfInquiry(code: string, status: string): PaymentState {
  const state = stateOfCode(code);
  switch (status.trim().toLowerCase()) {
    case 'completed':
      return state === 'paid' || state === 'refunded' ? state : 'unknown';
    case 'pending':
      return state === 'pending' ? state : 'unknown';
    case 'failed':
    case 'dropped':
    case 'expired':
      if (state === 'paid' || state === 'pending' || state === 'refunded') return 'unknown';
      return state === 'expired' ? state : 'failed';
    case '':
      return state === 'refused' ? 'failed' : state;
    default:
      return 'unknown';
  }
}

/** Codes of a refund that prove that nothing was refunded. */
// biome-ignore format: a table is read by its columns
const refundRefusals: Record<string, string> = {
  '101': 'invalid merchant credentials', '105': 'exceeds the merchant’s limit', '109': 'transaction does not exist',
  '110': 'invalid value of a field', '111': 'not allowed on merchant or bank', '115': 'invalid hash received',
  '132': 'cannot be refunded', '451': 'several partial refunds are not allowed', '452': 'not eligible for a refund',
  '453': 'account balance too low', '454': 'partial refunds are not allowed', '455': 'not settled yet',
};

export type RefundState = { state: 'refunded' } | { state: 'unknown' } | { state: 'refused'; reason: string };

/** The state that the code of a refund means; `unknown` may have been carried out. */
export function stateOfRefund(code: string): RefundState {
  if (code === '000') return { state: 'refunded' };
  const words = refundRefusals[code];
  return words === undefined ? { state: 'unknown' } : { state: 'refused', reason: `${code} ${words}` };
}
