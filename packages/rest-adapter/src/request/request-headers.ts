import type { IncomingMessage } from 'node:http';
import { NONCE_PATTERN, TIMESTAMP_PATTERN } from '@tidegate/signature';
import { type Refusal, refuse } from './envelope.ts';

/** The four headers that authenticate a request (contract "Authentication"), with their patterns. */
export interface SignatureHeaders {
  merchantNo: string;
  timestamp: string;
  nonce: string;
  signature: string;
}

export const SIGNATURE_HEADERS = [
  {
    field: 'merchantNo',
    name: 'X-Merchant-No',
    form: /^[A-Z0-9-]{1,32}$/,
    is: '1 to 32 upper-case letters, digits or "-"',
  },
  { field: 'timestamp', name: 'X-Timestamp', form: TIMESTAMP_PATTERN, is: '10 digits, Unix seconds' },
  { field: 'nonce', name: 'X-Nonce', form: NONCE_PATTERN, is: '8 to 64 letters, digits, "_" or "-"' },
  { field: 'signature', name: 'X-Sign', form: /^[A-Za-z0-9+/=]{1,4096}$/, is: 'standard base64' },
] as const;

/**
 * Reads the signature headers. 40100 names a missing or malformed one, or one that was sent twice (Node joins those
 * with a comma, which no pattern allows).
 */
export function readSignatureHeaders({ headers }: IncomingMessage): SignatureHeaders | Refusal {
  const found = { merchantNo: '', timestamp: '', nonce: '', signature: '' };
  for (const { field, name, form, is } of SIGNATURE_HEADERS) {
    const value = headers[name.toLowerCase()];
    if (value === undefined || value === '') return refuse('missing_header', { detail: name });
    if (typeof value !== 'string' || !form.test(value))
      return refuse('missing_header', { detail: `${name} must be ${is}` });
    found[field] = value;
  }
  return found;
}

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?;?$/i;

/** Refuses a body that is not declared as JSON in UTF-8 (decisions 1, 41500); null if it is. */
export function checkMediaType({ headers, headersDistinct }: IncomingMessage): Refusal | null {
  const types = headersDistinct['content-type'] ?? [];
  if (types.length !== 1 || !JSON_TYPE.test(types[0] ?? '')) {
    return refuse('unsupported_media_type', { detail: 'Content-Type must be application/json' });
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return null;
  return refuse('unsupported_media_type', { detail: 'Content-Encoding must be identity' });
}
