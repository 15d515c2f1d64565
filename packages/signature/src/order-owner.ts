import { createHash } from 'node:crypto';

/** Crockford's base 32. Order numbers are written in it. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ORDER_NO = /^P[IO][0-9A-HJKMNP-TV-Z]{9}([0-9A-HJKMNP-TV-Z]{4})[0-9A-HJKMNP-TV-Z]{12}$/;

/**
 * Whether a service order number can belong to this merchant. It must have the right form and the four characters that
 * are derived from the merchant number (ADR 0001). By chance, one in a million numbers of other merchants matches too.
 */
export function canOwnOrder(merchantNo: string, orderNo: string): boolean {
  const [, tag] = ORDER_NO.exec(orderNo) ?? [];
  return tag !== undefined && tag === tagOf(merchantNo);
}

/** The first 20 bits of the merchant number's SHA-256, as four characters. */
function tagOf(merchantNo: string): string {
  const bits = createHash('sha256').update(merchantNo).digest().readUInt32BE(0);
  return [27, 22, 17, 12].map((shift) => ALPHABET[(bits >>> shift) & 31]).join('');
}
