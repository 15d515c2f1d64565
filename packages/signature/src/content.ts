/**
 * The content to sign, without signing it. A separate entry point: it needs nothing of Node, so it runs in browsers
 * too.
 */
export { readBody, readQuery, type SignedFields } from './canonical.ts';
export { byCodePoint } from './code-point-order.ts';
export { NONCE_PATTERN, TIMESTAMP_PATTERN } from './header-patterns.ts';
export { JsonNumber, type JsonObject, type JsonValue } from './json-value.ts';
export { MalformedRequest } from './malformed-request.ts';
