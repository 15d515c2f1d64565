import type { FastifyRequest } from 'fastify';

/** The header that a page of another site cannot send without asking first. Its value is `1`. */
const ownHeader = 'x-tidegate-console';

/**
 * Why a request that uses the session's cookie is refused; null if it comes from the console. Browsers say by themselves
 * where a request comes from. `origin` is where the console is reached; null: at the host that the request names.
 */
export function problemOfPage({ headers }: Pick<FastifyRequest, 'headers'>, origin: string | null): string | null {
  if (headers[ownHeader] !== '1') return `the header ${ownHeader}: 1 is missing`;
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin';
  return isForeign || !isOurs(headers, origin) ? 'a page of another site sent this request' : null;
}

/** Without a configured origin, what the browser says of the site counts: a proxy may have changed the host. */
function isOurs({ origin, host, 'sec-fetch-site': site }: FastifyRequest['headers'], ours: string | null): boolean {
  if (origin === undefined) return true;
  if (ours !== null) return origin === ours;
  return site === 'same-origin' || (URL.canParse(origin) && new URL(origin).host === host);
}
