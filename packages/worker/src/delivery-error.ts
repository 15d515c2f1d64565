/** Why an attempt at a notification failed. */
export type DeliveryError =
  | 'dns'
  | 'refused'
  | 'connect_timeout'
  | 'timeout'
  | 'tls'
  | 'reset'
  | 'too_large'
  | 'redirect'
  | 'status'
  | 'not_ok';

const classes: [pattern: RegExp, error: DeliveryError][] = [
  [/^(ENOTFOUND|EAI_|ENODATA)/, 'dns'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EACCES)/, 'refused'],
  [/^UND_ERR_CONNECT_TIMEOUT/, 'connect_timeout'],
  [/^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|UND_ERR_ABORTED|ETIMEDOUT|TimeoutError|ABORT_ERR)/, 'timeout'],
  [/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/, 'tls'],
  [/^UND_ERR_(HEADERS_OVERFLOW|RES_EXCEEDED)/, 'too_large'],
];

/** The class of what was thrown; a connection that broke in whatever other way is `reset`. */
export function errorOf(thrown: unknown): DeliveryError {
  const { code, name, cause } = (thrown ?? {}) as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  for (const sign of [code, cause?.code, name]) {
    const found = typeof sign === 'string' ? classes.find(([pattern]) => pattern.test(sign)) : undefined;
    if (found) return found[1];
  }
  return 'reset';
}
