const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const referenceLength = 20;
/** The characters of an order number after its time: tag and random part, 5 bits each. */
const restBits = 16n * 5n;
/** Milliseconds are counted from here, so that they fit: until June 2043. */
const firstMoment = BigInt(Date.UTC(2025, 0, 1));
const maxNumbers = 62n ** BigInt(referenceLength);

/**
 * The `pp_TxnRefNo` of a payin, at most 20 letters and digits. It is the order number itself, written shorter: JazzCash's
 * notifications carry nothing else that leads to the order. Two order numbers never have one reference.
 * Two of one merchant and millisecond differ in capitals only with a chance below 1 in 10^15.
 * Null for an order number that is not one of the service's payins.
 */
export function referenceOf(orderNo: string): string | null {
  const parts = /^PI([0-9A-HJKMNP-TV-Z]{9})([0-9A-HJKMNP-TV-Z]{16})$/.exec(orderNo);
  if (!parts) return null;
  const moment = numberOf(parts[1] ?? '', crockford) - firstMoment;
  const number = (moment << restBits) | numberOf(parts[2] ?? '', crockford);
  if (moment < 0n || number >= maxNumbers) return null;
  return textOf(number, base62, referenceLength);
}

/** The order number of a `pp_TxnRefNo`; null for a reference that is not one of the service's. */
export function orderNoOf(reference: string): string | null {
  if (!/^[0-9A-Za-z]{20}$/.test(reference)) return null;
  const number = numberOf(reference, base62);
  const moment = textOf((number >> restBits) + firstMoment, crockford, 9);
  const orderNo = `PI${moment}${textOf(number & ((1n << restBits) - 1n), crockford, 16)}`;
  return referenceOf(orderNo) === reference ? orderNo : null;
}

/** Whether two references are the same. JazzCash may change capitals: its documentation does not say. */
export function isSameReference(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function numberOf(text: string, alphabet: string): bigint {
  const base = BigInt(alphabet.length);
  let number = 0n;
  for (const character of text) number = number * base + BigInt(alphabet.indexOf(character));
  return number;
}

function textOf(number: bigint, alphabet: string, length: number): string {
  const base = BigInt(alphabet.length);
  let text = '';
  for (let rest = number; text.length < length; rest /= base) text = alphabet[Number(rest % base)] + text;
  return text;
}
