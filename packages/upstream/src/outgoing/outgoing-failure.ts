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
  | CertificateError
  | 'http2_only'
  | 'no_tls'
  | 'tls'
  | 'bad_http'
  | 'reset'
  | 'too_large';

/** What is wrong with a certificate. */
export type CertificateError =
  | 'tls_expired'
  | 'tls_not_yet_valid'
  | 'tls_self_signed'
  | 'tls_unknown_issuer'
  | 'tls_wrong_name';

/** A failed call, and the `address:port` that it reached, if any; several of them with their errors. */
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
  [/^CERT_HAS_EXPIRED/, 'tls_expired'],
  [/^CERT_NOT_YET_VALID/, 'tls_not_yet_valid'],
  [/^(DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED)/, 'tls_self_signed'],
  // The server does not send the certificates between its own and the authority's, or nobody knows the authority.
  [/^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/, 'tls_unknown_issuer'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID/, 'tls_wrong_name'],
  [/^ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL/, 'http2_only'],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)/, 'no_tls'],
  [/^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_|INVALID_|PATH_LENGTH|EPROTO)/, 'tls'],
  [/^UND_ERR_HEADERS_OVERFLOW/, 'too_large'],
];

/** The class of a thrown error. A connection that broke in any other way is `reset`. */
export function errorOf(thrown: unknown): OutgoingError {
  if (thrown instanceof OutgoingFailure) return thrown.error;
  const { code, name, message } = (thrown ?? {}) as { code?: unknown; name?: unknown; message?: unknown };
  // Most errors of undici's parser have no code. A connection that ends too early has one of its own.
  if (name === 'HTTPParserError' && !/EOF/.test(String(message))) return 'bad_http';
  const found = typeof code === 'string' ? classes.find(([pattern]) => pattern.test(code)) : undefined;
  return found ? found[1] : 'reset';
}

/** The errors of addresses of one host, the most telling first: what answered says more than what did not. */
const telling: readonly OutgoingError[] = [
  'tls_expired',
  'tls_not_yet_valid',
  'tls_self_signed',
  'tls_unknown_issuer',
  'tls_wrong_name',
  'http2_only',
  'no_tls',
  'tls',
  'reset',
  'refused',
  'connect_timeout',
];

/** The failure to report where no address of a host could be reached. Of several addresses it names the error of each. */
export function mostTelling(failures: readonly OutgoingFailure[]): OutgoingFailure {
  const rank = ({ error }: OutgoingFailure): number =>
    (telling.indexOf(error) + telling.length + 1) % (telling.length + 1);
  const [first, ...others] = failures.toSorted((a, b) => rank(a) - rank(b));
  if (first === undefined) return new OutgoingFailure('connect_timeout');
  if (others.length === 0) return first;
  const tried = [first, ...others].slice(0, maxNamed).map(({ address, error }) => `${address} ${error}`);
  return new OutgoingFailure(first.error, tried.join(', '), { cause: first.cause });
}

/** The most addresses of a failure. */
const maxNamed = 8;
