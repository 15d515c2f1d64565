import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { Domain } from '@tidegate/domain';
import { keepKeyPair } from '@tidegate/domain/testing';
import type { ClaimedNotification } from '@tidegate/domain/worker';
import { parsePrivateKey, serviceKeyId } from '@tidegate/signature';
import { networks } from '../../domain/src/core/address.ts';
import { type Connector, type ConnectorParts, makeConnector } from '../src/delivery/connector.ts';
import { type Deliver, makeDeliver } from '../src/delivery/deliver.ts';

const { privateKey, publicKey } = keepKeyPair();
const key = parsePrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());

/** The public key that verifies these deliveries. */
export const servicePublicKey = publicKey;
export const loopback = ['127.0.0.0/8', '::1/128'];

/** The parts of a domain that a delivery needs: a key, and the allowed networks. */
export function deliveryDomain(allowed: readonly string[]): Domain {
  const signing = async (merchantId: string) => ({ keyId: serviceKeyId(merchantId, publicKey), key });
  return { serviceKeys: { signing }, notifyNetworks: networks(allowed) } as unknown as Domain;
}

/** Makes deliveries to public addresses and the `allowed` networks. */
export function deliverWith(
  parts: ConnectorParts = {},
  allowed: readonly string[] = loopback,
  wholeLimitMs?: number,
): Deliver {
  const connector = makeConnector(parts);
  connectors.push(connector);
  return makeDeliver(deliveryDomain(allowed), connector, wholeLimitMs);
}

export const body = JSON.stringify({ orderType: 'payin', orderNo: 'PI1', status: 'completed', amount: '100.00' });

/** A notification for `url`. */
export function to(url: string): ClaimedNotification {
  return { merchantId: 'M1', orderNo: 'PI1', status: 'completed', url, body, attempt: 1 };
}

/** Gives this answer to every request. */
export function answering(status: number, text: string, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => void response.writeHead(status, headers).end(text);
}

/** Starts an HTTP server until `closeAll`, and returns its URL. */
export function serve(listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  return listen(createServer(listener), host);
}

/** A TCP server that answers with `talk`. */
export function serveRaw(talk: (socket: Socket) => void): Promise<string> {
  return listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      talk(socket);
    }),
  );
}

/** Lets a server listen until `closeAll`, on a free port of the loopback or of `host`. Returns its URL. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`;
}

/** Closes it together with the rest. */
export function closeAtEnd(close: () => void): void {
  closing.push(close);
}

/** Closes everything that was opened here, for `afterAll`. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) close();
  for (const connector of connectors.splice(0)) await connector.close();
}

const closing: (() => void)[] = [];
const connectors: Connector[] = [];
