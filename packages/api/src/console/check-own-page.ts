import type { FastifyRequest } from 'fastify';

/**
 * The header that proves a request comes from the console. Pages of other sites cannot send it without a preflight
 * request, which is refused. Its value is `1`.
 */
const ownHeader = 'x-tidegate-console';

/**
 * Why a request with the session cookie is refused; null if it comes from the console. Browsers state the origin of a
 * request in headers. `origin` is the public URL of the console; null: the host that the request names.
 */
export function problemOfPage({ headers }: Pick<FastifyRequest, 'headers'>, origin: string | null): string | null {
  if (headers[ownHeader] !== '1') return `the header ${ownHeader}: 1 is missing`;
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin';
  return isForeign || !isOurs(headers, origin) ? 'a page of another site sent this request' : null;
}

/** Without a configured origin, `Sec-Fetch-Site: same-origin` is enough, because a proxy may have changed the host. */
function isOurs({ origin, host, 'sec-fetch-site': site }: FastifyRequest['headers'], ours: string | null): boolean {
  if (origin === undefined) return true;
  if (ours !== null) return origin === ours;
  return site === 'same-origin' || (URL.canParse(origin) && new URL(origin).host === host);
}
