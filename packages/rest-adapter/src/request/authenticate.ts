import type { IncomingMessage } from 'node:http';
import type { MerchantProfile } from '@tidegate/domain';
import { type Attempt, clientAddress } from '@tidegate/process';
import { type JsonObject, MalformedRequest, readBody, readQuery, type SignedFields } from '@tidegate/signature';
import { type Refusal, refuse } from './envelope.ts';
import type { Gate } from './gate.ts';
import { isAddressAllowed } from './ip-allow-list.ts';
import { checkMediaType, readSignatureHeaders, type SignatureHeaders } from './request-headers.ts';
import { checkSignature } from './verify-signature.ts';

/**
 * The greatest difference of X-Timestamp from the server's clock, in seconds, in both directions (decisions 1, 40102).
 */
const CLOCK_TOLERANCE = 300;

/**
 * Up to this length a body never waits, whatever else its address has sent. All fields of the contract together are
 * shorter. The check costs about as much as the rest of the request (ADR 0031).
 */
const LIGHT_BYTES = 16 * 1024;

/** A request that passed authentication. Its content has not been validated yet. */
export interface SignedCall {
  ok: true;
  merchant: MerchantProfile;
  /** Body or query, without absent values. */
  fields: JsonObject;
}

/**
 * Receives the merchant number for log and metrics: first the one in the header, then the one whose signature was
 * verified.
 */
export interface SeenMerchant {
  claimed(merchantNo: string): void;
  verified(merchant: MerchantProfile): void;
}

/**
 * All checks between a request's size and its content, in the order of decisions 1. The first failure is the answer.
 * `content` is the raw body of a POST, or the raw query string of a GET. If no text to sign can be derived from it, it
 * is refused between timestamp and signature.
 */
export async function authenticate(
  gate: Gate,
  request: IncomingMessage,
  content: Uint8Array | string,
  seen: SeenMerchant,
): Promise<SignedCall | Refusal> {
  const wrongType = typeof content === 'string' ? null : checkMediaType(request);
  if (wrongType) return wrongType;
  const headers = readSignatureHeaders(request);
  if ('failure' in headers) return headers;
  seen.claimed(headers.merchantNo);
  if (Math.abs(Math.floor(gate.clock() / 1000) - Number(headers.timestamp)) > CLOCK_TOLERANCE) {
    return refuse('timestamp_out_of_range', { detail: `more than ${CLOCK_TOLERANCE} seconds from the server's clock` });
  }
  const begun = gate.attempts.begin(clientAddress(request, gate.trustedProxies), {
    isLight: content.length <= LIGHT_BYTES,
  });
  const attempt = begun instanceof Promise ? await begun : begun;
  const verified = await verify(gate, headers, content, attempt);
  if ('failure' in verified) {
    attempt.failed();
    return verified;
  }
  attempt.succeeded();
  const { signed, merchant } = verified;
  seen.verified(merchant);
  const refusal = await admit(gate, merchant, headers, request);
  if (refusal) return refusal;
  const fields = signed.value;
  // Signature and admission take time, above all if the process was stopped meanwhile.
  if ((await gate.domain.merchant(merchant.merchantId)) === merchant) return { ok: true, merchant, fields };
  const changed = await checkSignature(gate, headers, signed, attempt);
  if ('failure' in changed) return changed;
  return bars(gate, changed, request) ?? { ok: true, merchant: changed, fields };
}

/** Reads the content, and finds the merchant that signed it. */
async function verify(
  gate: Gate,
  headers: SignatureHeaders,
  content: Uint8Array | string,
  attempt: Attempt,
): Promise<{ signed: SignedFields; merchant: MerchantProfile } | Refusal> {
  const signed = attempt.measure(() => readFields(content));
  if ('failure' in signed) return signed;
  const merchant = await checkSignature(gate, headers, signed, attempt);
  return 'failure' in merchant ? merchant : { signed, merchant };
}

/** Refusals of an authentic request: nonce used, merchant disabled, address not allowed, too many requests. */
async function admit(
  gate: Gate,
  merchant: MerchantProfile,
  { nonce }: SignatureHeaders,
  request: IncomingMessage,
): Promise<Refusal | null> {
  const barred = bars(gate, merchant, request);
  // A used nonce is reported first. Requests refused for other reasons use neither a nonce nor budget.
  const admitted = await gate.admission.ask(merchant.merchantId, nonce, barred ? null : merchant);
  if (admitted === 'nonce_used') return refuse('nonce_used');
  if (admitted === 'unavailable') return refuse('service_unavailable');
  return barred ?? (admitted === 'admitted' ? null : refuse('too_many_requests', admitted));
}

function bars(gate: Gate, merchant: MerchantProfile, request: IncomingMessage): Refusal | null {
  if (merchant.status === 'disabled') return refuse('merchant_disabled');
  const address = clientAddress(request, gate.trustedProxies);
  return isAddressAllowed(merchant.ipAllowList, address) ? null : refuse('ip_not_allowed');
}

function readFields(content: Uint8Array | string): SignedFields | Refusal {
  try {
    return typeof content === 'string' ? readQuery(content) : readBody(content);
  } catch (error) {
    if (error instanceof MalformedRequest) return refuse('malformed_request', { detail: error.message });
    throw error;
  }
}
