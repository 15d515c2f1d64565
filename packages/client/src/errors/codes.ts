/**
 * Every failure `code` of the service: its HTTP status, the beginning of `msg`, and the group that decides how to
 * react. A test compares this table with the service's own.
 */
// biome-ignore format: a table is read by its columns
export const ERROR_CODES = {
  40000: { group: 'request', http: 400, msg: 'malformed request' },
  40001: { group: 'request', http: 400, msg: 'invalid parameter' },
  40400: { group: 'request', http: 404, msg: 'not found' },
  40500: { group: 'request', http: 405, msg: 'method not allowed' },
  41300: { group: 'request', http: 413, msg: 'request too large' },
  41500: { group: 'request', http: 415, msg: 'unsupported media type' },
  40100: { group: 'authentication', http: 401, msg: 'missing header' },
  40101: { group: 'authentication', http: 401, msg: 'signature invalid' },
  40102: { group: 'authentication', http: 401, msg: 'timestamp out of range' },
  40103: { group: 'authentication', http: 401, msg: 'nonce already used' },
  40301: { group: 'permission', http: 403, msg: 'merchant disabled' },
  40302: { group: 'permission', http: 403, msg: 'ip not allowed' },
  40303: { group: 'permission', http: 403, msg: 'operation not available' },
  40401: { group: 'orderNotFound', http: 404, msg: 'order not found' },
  40901: { group: 'orderExists', http: 409, msg: 'merchant order no already exists' },
  42201: { group: 'rejection', http: 422, msg: 'merchant balance insufficient' },
  42202: { group: 'rejection', http: 422, msg: 'upstream bank mapping not found' },
  42203: { group: 'rejection', http: 422, msg: 'amount out of range' },
  42204: { group: 'rejection', http: 422, msg: 'no channel available' },
  42900: { group: 'rateLimit', http: 429, msg: 'too many requests' },
  50201: { group: 'upstream', http: 502, msg: 'upstream rejected' },
  50401: { group: 'upstream', http: 504, msg: 'upstream timeout' },
  50000: { group: 'service', http: 500, msg: 'internal error' },
  50300: { group: 'service', http: 503, msg: 'service unavailable' },
} as const;

/** The codes that this version knows. A later version of the service may send others. */
export type ErrorCode = keyof typeof ERROR_CODES;

export type ErrorGroup = (typeof ERROR_CODES)[ErrorCode]['group'];

/** The codes of one group. */
export type CodeOf<Group extends ErrorGroup> = {
  [Code in ErrorCode]: (typeof ERROR_CODES)[Code]['group'] extends Group ? Code : never;
}[ErrorCode];
