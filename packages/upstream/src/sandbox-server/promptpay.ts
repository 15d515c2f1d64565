/** The payee of a PromptPay code. */
export type PromptPayProxy =
  /** Ten digits, beginning with 0. */
  | { type: 'mobile'; number: string }
  /** Thirteen digits: national id or tax id. */
  | { type: 'tax_id'; number: string }
  /** Fifteen digits. */
  | { type: 'e_wallet'; number: string };

/** The longest amount that the format can carry: 9999999999.99. */
export const MAX_AMOUNT_CHARACTERS = 13;

/**
 * The text of a Thai PromptPay QR code for one payment: EMVCo merchant-presented data objects (two-digit id, two-digit
 * length, value) with a credit transfer in tag 29. Throws RangeError for a proxy or amount that the format cannot carry.
 * Sources: EMVCo QR Code Specification, Merchant-Presented Mode; Bank of Thailand, Thai QR Code Payment Standard.
 */
export function promptPayPayload(proxy: PromptPayProxy, amount: string): string {
  if (!/^(0|[1-9][0-9]*)\.[0-9]{2}$/.test(amount) || amount.length > MAX_AMOUNT_CHARACTERS) {
    throw new RangeError('amount cannot be carried by a PromptPay code');
  }
  const unsealed = [
    object('00', '01'), // format version
    object('01', '12'), // for one payment only
    object('29', object('00', 'A000000677010111') + proxyObject(proxy)),
    object('58', 'TH'),
    object('53', '764'), // THB
    object('54', amount),
    '6304', // id and length of the checksum, which covers them too
  ].join('');
  return unsealed + crc16(unsealed);
}

/** CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF) as four upper-case hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function proxyObject({ type, number }: PromptPayProxy): string {
  switch (type) {
    case 'mobile':
      // Country code 66 in place of the leading 0, filled up to thirteen digits.
      return object('01', `66${digits(number, /^0[0-9]{9}$/).slice(1)}`.padStart(13, '0'));
    case 'tax_id':
      return object('02', digits(number, /^[0-9]{13}$/));
    case 'e_wallet':
      return object('03', digits(number, /^[0-9]{15}$/));
    default:
      return type satisfies never;
  }
}

function digits(number: string, form: RegExp): string {
  if (!form.test(number)) throw new RangeError('not a PromptPay proxy of its type');
  return number;
}

function object(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
}
