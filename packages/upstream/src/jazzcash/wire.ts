import { boundedText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import type { Fields } from './signing.ts';

const maxFields = 60;
const maxValue = 2_000;

/**
 * A JSON object as fields; null if it is something else. Numbers become their text, null becomes empty text. Objects and
 * lists are left out: the hash covers `pp` fields only, and one of those that is no text makes the whole unreadable.
 */
export function readFields(json: unknown): Fields | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const entries = Object.entries(json);
  if (entries.length > maxFields) return null;
  const fields: Fields = {};
  for (const [name, value] of entries) {
    if (typeof value === 'object' && value !== null) {
      if (/^pp/i.test(name)) return null;
      continue;
    }
    const text = value === null || value === undefined ? '' : String(value);
    if (text.length > maxValue) return null;
    fields[name] = text;
  }
  return fields;
}

/**
 * The code of an error that names its fields without `pp_`, as the gateway answers before it looks at a payment. Null: it is
 * no such error. Nothing documents its hash, so it proves nothing and only helps people.
 */
export function earlyErrorOf({ responseCode = '', pp_ResponseCode: usual }: Fields): string | null {
  return usual === undefined && /^[0-9A-Za-z]{1,6}$/.test(responseCode) ? responseCode : null;
}

/** JSON or a form, as JazzCash sends it to a notification or a return URL. Null if it is neither, or not UTF-8. */
export function readBody(body: Uint8Array): Fields | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if (text.trimStart().startsWith('{')) return readFields(JSON.parse(text));
    const pairs = [...new URLSearchParams(text)];
    const fields = Object.fromEntries(pairs);
    return Object.keys(fields).length === pairs.length ? readFields(fields) : null;
  } catch {
    return null;
  }
}

const code = boundedText(6).regex(/^[0-9A-Za-z]{1,6}$/);
const optional = boundedText(4_096).default('');

/** The answer to a create. Fields that decide about money are strict; all others are left out. */
export const wireCreated = z.object({
  pp_ResponseCode: code,
  pp_ResponseMessage: optional,
  pp_TxnRefNo: boundedText(4_096).min(1),
  pp_MerchantID: boundedText(4_096).min(1),
  pp_Amount: optional,
  pp_TxnCurrency: optional,
  pp_BillReference: optional,
  ppmpf_3: optional,
});

/** The answer to an inquiry. `pp_ResponseCode` is about the inquiry, `pp_PaymentResponseCode` about the payment. */
export const wireInquired = z.object({
  pp_ResponseCode: code,
  pp_PaymentResponseCode: optional,
  pp_PaymentResponseMessage: optional,
  pp_Status: optional,
  pp_TxnRefNo: optional,
  pp_MerchantID: optional,
  pp_Amount: optional,
  pp_BillReference: optional,
});

export const wireRefunded = z.object({
  pp_ResponseCode: code,
  pp_ResponseMessage: optional,
  pp_TxnRefNo: optional,
});

export type WireCreated = z.infer<typeof wireCreated>;
export type WireInquired = z.infer<typeof wireInquired>;
