import { isIP, connect as netConnect, type Socket } from 'node:net';
import { type SecureContext, connect as tlsConnect } from 'node:tls';
import { type Destination, withPort } from './check-destination.ts';
import { errorOf, mostTelling, OutgoingFailure } from './outgoing-failure.ts';

/** Begins a TCP connection to exactly this IP address. */
export type Dial = (address: string, port: number) => Socket;

// IP addresses are never resolved, so the connection goes to the checked address.
export const dial: Dial = (address, port) => netConnect({ host: address, port, noDelay: true });

/** While more addresses follow, each has its share of the time, but at least this much. */
const minShareMs = 1_000;

/**
 * Connects to the first checked address that can be reached, with TLS if the URL asks for it, within `withinMs`.
 * `address` is its `address:port`. Throws the most telling OutgoingFailure.
 */
export async function openSocket(
  destination: Destination,
  options: { dial: Dial; secureContext: SecureContext; withinMs: number },
): Promise<{ socket: Socket; address: string }> {
  const deadline = performance.now() + options.withinMs;
  const { addresses, port } = destination;
  const failures: OutgoingFailure[] = [];
  for (const [tried, ip] of addresses.entries()) {
    const left = deadline - performance.now();
    if (left <= 0) break;
    const share = Math.max(left / (addresses.length - tried), Math.min(left, minShareMs));
    const address = withPort(ip, port);
    const plain = options.dial(ip, port);
    const timer = setTimeout(() => void plain.destroy(new OutgoingFailure('connect_timeout')), share);
    try {
      return { socket: await open(plain, destination, options.secureContext), address };
    } catch (error) {
      plain.destroy();
      failures.push(new OutgoingFailure(errorOf(error), address, { cause: error }));
    } finally {
      clearTimeout(timer);
    }
  }
  throw mostTelling(failures);
}

async function open(plain: Socket, { url, host }: Destination, secureContext: SecureContext): Promise<Socket> {
  await becomes('connect', plain);
  if (url.protocol === 'http:') return plain;
  const name = isIP(host) === 0 ? { servername: host } : {};
  // Set explicitly, so that no variable or default of the process weakens it. No TLS session is resumed: each
  // connection verifies the name.
  const options = { host, ...name, secureContext, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] };
  const secure = tlsConnect({ ...options, socket: plain });
  await becomes('secureConnect', secure, plain);
  return secure;
}

/** Waits until the first socket emits `event`. Throws as soon as one of them fails. */
function becomes(event: 'connect' | 'secureConnect', ...sockets: readonly Socket[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  sockets[0]?.once(event, resolve);
  for (const socket of sockets) socket.once('error', reject).once('close', () => reject(new Error('closed')));
  return promise.finally(() => {
    for (const socket of sockets) socket.off('error', reject);
  });
}
