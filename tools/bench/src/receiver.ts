import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A merchant's endpoint that acknowledges everything at once. */
export interface Receiver {
  url: string;
  received(): number;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      received += 1;
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 }).end('OK');
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`,
    received: () => received,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
