import type { FastifyRequest } from 'fastify';

const forwardingHeader =
  /^(forwarded|via|x-forwarded(-.*)?|x-real-ip|x-(original-)?client-ip|x-cluster-client-ip|true-client-ip|(cf|fastly)-.*)$/;

/**
 * Whether a browser on this machine asks directly, without a proxy:
 * - The address is loopback.
 * - The host name belongs to this machine alone. Another site whose name resolves to here could read the page.
 * - There is no header that proxies add.
 * - The connection is HTTP/1.1 keep-alive, as browsers use it. Proxies that add no header speak HTTP/1.0, or close.
 */
export function isDirectFromThisMachine({ ip, hostname, headers, raw }: FastifyRequest): boolean {
  const isLoopback = /^(127\.|::1$|::ffff:127\.)/.test(ip) && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  const isForwarded = Object.keys(headers).some((name) => forwardingHeader.test(name));
  return isLoopback && !isForwarded && raw.httpVersion === '1.1' && headers.connection?.toLowerCase() !== 'close';
}
