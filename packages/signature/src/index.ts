/**
 * The RSA2 signature of the merchant interface (decisions 2), for the service and for merchants' own code. Needs only
 * Node 20 or later.
 *
 * Comments cite the interface as “contract” and the decisions on it by number. Both are in the service's repository, in
 * docs/contract.
 */
export { decodeBase64Strict } from './base64.ts';
export { readBody, readQuery, type SignedFields } from './canonical.ts';
export { NONCE_PATTERN, TIMESTAMP_PATTERN } from './header-patterns.ts';
export { signedHeaders } from './headers.ts';
export { JsonNumber, type JsonObject, type JsonValue } from './json-value.ts';
export { keyId, merchantOfServiceKeyId, type RsaJwk, serviceKeyId, toJwk } from './jwk.ts';
export { InvalidKey, parsePrivateKey, parsePublicKey } from './keys.ts';
export { MalformedRequest } from './malformed-request.ts';
export { canOwnOrder } from './order-owner.ts';
export { sign, verify, verifyInPool } from './sign.ts';
