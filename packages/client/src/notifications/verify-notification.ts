import {
  canOwnOrder,
  MalformedRequest,
  merchantOfServiceKeyId,
  NONCE_PATTERN,
  readBody,
  type SignedFields,
  TIMESTAMP_PATTERN,
  verify,
} from '@tidegate/signature';
import type { NonceStore } from './nonce-store.ts';
import { type Notification, readNotification } from './notification.ts';
import type { ServiceKeys } from './service-keys.ts';

export interface NotificationRules {
  /** Your merchant number. Notifications for other merchants are refused. */
  merchantNo: string;
  keys: ServiceKeys;
  /** How far `X-Timestamp` may be from this machine's clock, in seconds; default 300. */
  toleranceSeconds?: number | undefined;
  /** Without a store, a copied notification is accepted again while its timestamp is recent enough. */
  nonces?: NonceStore | undefined;
  /** The time in Unix milliseconds. Default: this machine's clock. */
  clock?: (() => number) | undefined;
}

/** The headers as your framework has them: Node's, fetch's, or a plain object. Names in any case. */
export type AnyHeaders = Headers | { readonly [name: string]: string | readonly string[] | undefined };

/** A notification as it was received. */
export interface Delivery {
  headers: AnyHeaders;
  /** The original bytes of the body. A parsed object, or JSON made from one, differs from what was signed. */
  body: Uint8Array;
}

/** Why a notification was refused. `header missing`: a header is absent or malformed. */
export type VerificationFailure =
  | 'header missing'
  | 'other merchant'
  | 'not fresh'
  | 'body malformed'
  | 'key unknown'
  | 'signature wrong'
  | 'nonce used'
  | 'no notification';

export type Verified =
  | { ok: true; notification: Notification }
  | { ok: false; reason: VerificationFailure; detail: string };

const HEADERS = ['X-Merchant-No', 'X-Timestamp', 'X-Nonce', 'X-Sign', 'X-Key-Id'] as const;

/**
 * Checks that the service sent this notification, to this merchant, just now (contract "Merchant obligations";
 * decisions 2). The signed text names no merchant. So the key must belong to this merchant, and the order number must
 * be possible for it. The nonce is stored last, after the signature was verified. Rejects if the keys cannot be fetched
 * or the nonce store fails. The result is then unknown, and the notification must be delivered again.
 */
export async function verifyNotification(delivery: Delivery, rules: NotificationRules): Promise<Verified> {
  const [merchantNo, timestamp, nonce, signature, keyId] = HEADERS.map(
    (name) => headerOf(delivery.headers, name) ?? '',
  );
  const { toleranceSeconds = 300, clock = Date.now } = rules;
  if (!merchantNo || !timestamp || !nonce || !signature || !keyId)
    return no('header missing', HEADERS.filter((name) => !headerOf(delivery.headers, name)).join(', '));
  if (merchantNo !== rules.merchantNo) return no('other merchant', `X-Merchant-No is not ${rules.merchantNo}`);
  const otherKey = problemOfKeyId(keyId, rules.merchantNo);
  if (otherKey) return otherKey;
  if (!TIMESTAMP_PATTERN.test(timestamp)) return no('header missing', 'X-Timestamp must be 10 digits');
  if (!NONCE_PATTERN.test(nonce)) return no('header missing', 'X-Nonce must be 8 to 64 letters, digits, "_" or "-"');
  const seconds = Math.abs(Math.floor(clock() / 1_000) - Number(timestamp));
  if (seconds > toleranceSeconds)
    return no('not fresh', `X-Timestamp is ${seconds} s from this machine's clock, ${toleranceSeconds} are allowed`);
  const fields = readFields(delivery.body);
  if (typeof fields === 'string') return no('body malformed', fields);
  const keys = await rules.keys.find(keyId);
  if (keys.length === 0) return no('key unknown', 'X-Key-Id names no key that the service publishes');
  const content = fields.content(timestamp, nonce);
  if (!keys.some((key) => verify(content, signature, key))) return no('signature wrong', 'X-Sign does not verify');
  const notification = readNotification(delivery.body);
  if (!notification) return no('no notification', 'the body lacks fields of a notification');
  if (!isOwnOrder(merchantNo, notification))
    return no('other merchant', `orderNo is not a ${notification.orderType} that ${merchantNo} can own`);
  if (rules.nonces && !(await rules.nonces.take(nonce, 2 * toleranceSeconds + 1)))
    return no('nonce used', 'this very notification came before');
  return { ok: true, notification };
}

function problemOfKeyId(keyId: string, merchantNo: string): Verified | null {
  const owner = merchantOfServiceKeyId(keyId);
  if (owner === merchantNo) return null;
  if (owner !== null) return no('other merchant', `X-Key-Id does not begin with ${merchantNo}`);
  return no('header missing', 'X-Key-Id is not the id of a key');
}

function isOwnOrder(merchantNo: string, { orderType, orderNo }: Notification): boolean {
  return orderNo.startsWith(orderType === 'payin' ? 'PI' : 'PO') && canOwnOrder(merchantNo, orderNo);
}

function no(reason: VerificationFailure, detail: string): Verified {
  return { ok: false, reason, detail };
}

function readFields(body: Uint8Array): SignedFields | string {
  try {
    return readBody(body);
  } catch (error) {
    if (error instanceof MalformedRequest) return error.message;
    throw error;
  }
}

/**
 * The header's value; undefined if the header is absent. A repeated header is undefined too, or `Headers` joins its
 * values with a comma. Then no check accepts it.
 */
function headerOf(headers: AnyHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name.toLowerCase());
  const value = found.length === 1 ? found[0]?.[1] : undefined;
  return typeof value === 'string' ? value : value?.length === 1 ? value[0] : undefined;
}
