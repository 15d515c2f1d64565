interface AttemptError {
  /** In a list of errors. */
  label: string;
  /** The end of a sentence that begins with the host. */
  text: string;
}

/** What can be wrong with an attempt to notify a merchant. */
export const attemptErrors: Readonly<Record<string, AttemptError>> = {
  status: { label: 'HTTP status other than 200', text: 'answered with an error' },
  not_ok: { label: 'Answer other than OK', text: 'answered HTTP 200, but not with the text "OK"' },
  redirect: { label: 'Redirect', text: 'answered with a redirect, which is not followed' },
  timeout: { label: 'No answer in time', text: 'did not answer in time' },
  connect_timeout: { label: 'No connection in time', text: 'accepted no connection in time' },
  refused: { label: 'Connection refused', text: 'refused the connection' },
  reset: { label: 'Connection broken', text: 'broke the connection' },
  dns: { label: 'Unknown host name', text: 'has no address: DNS does not know its name' },
  tls_expired: { label: 'Certificate expired', text: 'could not be trusted: its certificate has expired' },
  tls_not_yet_valid: {
    label: 'Certificate not valid yet',
    text: 'could not be trusted: its certificate is not valid yet',
  },
  tls_self_signed: { label: 'Self-signed certificate', text: 'could not be trusted: its certificate is self-signed' },
  tls_unknown_issuer: {
    label: 'Incomplete certificate chain',
    text: 'could not be trusted: it does not send its whole certificate chain, or nobody knows its authority',
  },
  tls_wrong_name: {
    label: 'Certificate for another name',
    text: 'could not be trusted: its certificate is for another name',
  },
  http2_only: { label: 'HTTP/2 only', text: 'speaks only HTTP/2: notifications need HTTP/1.1' },
  no_tls: { label: 'No TLS', text: 'does not speak TLS at this port' },
  tls: { label: 'TLS failed', text: 'could not be trusted: its TLS version or certificate is not valid' },
  bad_http: { label: 'No valid HTTP', text: 'did not answer in valid HTTP' },
  too_large: { label: 'Answer too large', text: 'answered with too much data' },
  forbidden_url: { label: 'Address not allowed', text: 'was not called: the address is not allowed' },
  forbidden_address: { label: 'IP address not allowed', text: 'was not called: its IP address is not allowed' },
};

/** What was wrong with an attempt, as the end of a sentence that begins with the host. */
export function attemptProblem({ httpStatus, error }: { httpStatus: number | null; error: string | null }): string {
  if (error === null || error === 'status' || !Object.hasOwn(attemptErrors, error)) {
    const more = error === null || error === 'status' ? '' : ` (${error})`;
    if (httpStatus !== null) return `answered HTTP ${httpStatus}${more}`;
    return error === null ? 'has not answered yet' : `did not answer${more}`;
  }
  return attemptErrors[error]?.text ?? '';
}
