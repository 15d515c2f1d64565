/**
 * Why a call to an untrusted address failed. `forbidden_url` and `forbidden_address`: decisions 8 do not allow it, so
 * nothing was sent.
 */
export type OutgoingError =
  | 'forbidden_url'
  | 'forbidden_address'
  | 'dns'
  | 'refused'
  | 'connect_timeout'
  | 'timeout'
  | 'tls'
  | 'reset'
  | 'too_large';

/** A failed call, and the `address:port` that it reached, if any. */
export class OutgoingFailure extends Error {
  readonly error: OutgoingError;
  readonly address: string | null;

  constructor(error: OutgoingError, address: string | null = null, options: ErrorOptions = {}) {
    super(error, options);
    this.error = error;
    this.address = address;
  }
}

const classes: [pattern: RegExp, error: OutgoingError][] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EACCES|EADDRNOTAVAIL)/, 'refused'],
  [/^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|ETIMEDOUT)/, 'timeout'],
  [/^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_|INVALID_|PATH_LENGTH|EPROTO)/, 'tls'],
  [/^UND_ERR_HEADERS_OVERFLOW/, 'too_large'],
];

/** The class of a thrown error. A connection that broke in any other way is `reset`. */
export function errorOf(thrown: unknown): OutgoingError {
  if (thrown instanceof OutgoingFailure) return thrown.error;
  const { code } = (thrown ?? {}) as { code?: unknown };
  const found = typeof code === 'string' ? classes.find(([pattern]) => pattern.test(code)) : undefined;
  return found ? found[1] : 'reset';
}
