/**
 * What a signature is made over, without the signing: an entry of its own, since it needs nothing of Node and so runs in a
 * browser too.
 */
export { readBody, readQuery, type SignedFields } from './canonical.ts';
export { byCodePoint } from './code-point-order.ts';
export { NONCE_PATTERN, TIMESTAMP_PATTERN } from './header-patterns.ts';
export { JsonNumber, type JsonObject, type JsonValue } from './json-value.ts';
export { MalformedRequest } from './malformed-request.ts';
