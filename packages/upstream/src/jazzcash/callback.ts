import type { CallbackHeaders, CallbackReply, CallbackResult, ExaminedStep } from '@tidegate/domain/channels';
import type { Gateway } from './gateway.ts';
import { describeCode } from './mapping.ts';
import { orderNoOf } from './reference.ts';
import { type Fields, isAuthentic, secureHash } from './signing.ts';
import { readPakistanTime } from './time.ts';
import { readBody } from './wire.ts';

/** JazzCash’s notifications are far shorter. Their fields are parsed before their hash is checked. */
const maxBody = 8 * 1024;

/** A transaction is open for three months at most. An older notification is a replay. */
export const notificationLifetimeMs = 92 * 24 * 60 * 60_000;

/**
 * Reads a notification, which only means that the payin can be queried now. It never reports a result: its hash covers
 * values without their names, it has no time, and it usually names neither amount nor account.
 */
export function parseCallback(gateway: Gateway, _headers: CallbackHeaders, body: Uint8Array): CallbackResult {
  const read = readNotification(gateway, body);
  if (read.type !== 'query') return read.type === 'nothing' ? { ...read, reply: replyFor(gateway) } : read;
  gateway.notified.add(read.orderNo);
  return { ...read, reply: replyFor(gateway) };
}

/** Reads a notification without any effect, and without the reply. */
function readNotification(gateway: Gateway, body: Uint8Array): Exclude<CallbackResult, { type: 'report' }> {
  if (body.length > maxBody) return { type: 'refused', why: 'malformed', detail: 'longer than 8 KiB' };
  const fields = readBody(body);
  if (fields === null)
    return { type: 'refused', why: 'unauthentic', detail: 'neither JSON nor a form, so it carries no hash' };
  if (!isAuthentic(fields, gateway.keys))
    return { type: 'refused', why: 'unauthentic', detail: 'the hash does not verify' };
  if (!isOfAccount(gateway, fields))
    return { type: 'refused', why: 'unauthentic', detail: 'it is for another account' };
  if (isStale(fields)) return { type: 'refused', why: 'unauthentic', detail: 'it is older than any open transaction' };
  const orderNo = orderNoOf(fields.pp_TxnRefNo ?? '');
  if (orderNo === null) return { type: 'nothing', detail: 'its reference is not one of this service' };
  const carried = fields.ppmpf_3 ?? '';
  if (carried !== '' && carried !== orderNo)
    return { type: 'refused', why: 'malformed', detail: 'it names two different orders' };
  return { type: 'query', kind: 'payin', orderNo };
}

/** Shows the steps of `parseCallback`. */
export function examineCallback(gateway: Gateway, _headers: CallbackHeaders, body: Uint8Array): ExaminedStep[] {
  const fields = body.length > maxBody ? null : readBody(body);
  if (fields === null)
    return [{ step: 'body', isOk: false, detail: 'neither JSON nor a form of at most 8 KiB in UTF-8' }];
  const names = Object.keys(fields).filter((name) => fields[name] !== '');
  const key = gateway.keys.findIndex((one) => isAuthentic(fields, [one]));
  const reference = fields.pp_TxnRefNo ?? '';
  const orderNo = orderNoOf(reference);
  const read = readNotification(gateway, body);
  const account = isOfAccount(gateway, fields);
  return [
    { step: 'body', isOk: true, detail: `fields with a value: ${names.toSorted().join(', ').slice(0, 800)}` },
    { step: 'hash', isOk: key >= 0, detail: hashDetail(gateway, fields, key) },
    { step: 'account', isOk: account, detail: account ? 'ours, as far as it says' : 'another merchant ID or password' },
    {
      step: 'order',
      isOk: orderNo !== null,
      detail: orderNo === null ? 'pp_TxnRefNo is not a reference of this service' : `order ${orderNo}`,
    },
    { step: 'code', isOk: true, detail: describeCode((fields.pp_ResponseCode ?? '').slice(0, 6)) },
    {
      step: 'result',
      isOk: read.type !== 'refused',
      detail: read.type === 'query' ? 'the order would be queried at once' : read.detail,
    },
  ];
}

function hashDetail({ keys, key }: Gateway, fields: Fields, verifiedBy: number): string {
  if (verifiedBy === 0) return 'verified with the integrity salt';
  if (verifiedBy > 0) return 'verified with the previous integrity salt';
  if ((fields.pp_SecureHash ?? '') === '') return 'pp_SecureHash is missing';
  const otherReading = keys.map((one) => ({ ...one, hashesEmptyValues: !key.hashesEmptyValues }));
  if (isAuthentic(fields, otherReading)) return 'verifies only with the other setting of “Hash empty values”';
  return 'does not verify: another salt than those of this channel, or the fields were changed';
}

/** Not every notification names its account. If it does, it has to be our account. */
function isOfAccount({ merchantId, password }: Gateway, fields: Fields): boolean {
  const { pp_MerchantID: merchant = '', pp_Password: secret = '' } = fields;
  return (merchant === '' || merchant === merchantId) && (secret === '' || secret === password);
}

/** The time of the transaction is the only time in a notification. */
function isStale({ pp_TxnDateTime: began = '' }: Fields): boolean {
  const moment = readPakistanTime(began);
  return moment !== null && Date.now() - moment > notificationLifetimeMs;
}

/** The reply that JazzCash expects to a notification. Without it the notification is repeated three times. */
function replyFor({ key }: Gateway): CallbackReply {
  const answer: Fields = { pp_ResponseCode: '000', pp_ResponseMessage: 'IPN received successfully' };
  const body = JSON.stringify({ ...answer, pp_SecureHash: secureHash(answer, key) });
  return { contentType: 'application/json', body };
}
