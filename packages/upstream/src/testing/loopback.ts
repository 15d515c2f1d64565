import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type CallbackHeaders, networks } from '@tidegate/domain/channels';
import { createHttpClient, type HttpClient } from '../provider/http-client.ts';

// What tests of channels need on this machine: a client, servers, a receiver of callbacks, controls of a fake.

export function loopbackClient(): HttpClient {
  return createHttpClient({ allowed: networks(['127.0.0.0/8', '::1/128']) });
}

export interface LoopbackServer {
  /** Without a path. */
  url: string;
  /** Ends open connections too. */
  close(): Promise<void>;
}

export async function listenOnLoopback(
  handle: (request: IncomingMessage, reply: ServerResponse) => void | Promise<void>,
): Promise<LoopbackServer> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface ReceivedCallback {
  headers: CallbackHeaders;
  body: Uint8Array;
}

export interface Receiver extends LoopbackServer {
  /** In the order of arrival. */
  received: ReceivedCallback[];
}

/** Receives a provider's callbacks at any path. `answer` gives HTTP status, body and content type. */
export async function openReceiver(
  answer: (callback: ReceivedCallback) => { status?: number; body?: string; contentType?: string },
): Promise<Receiver> {
  const received: ReceivedCallback[] = [];
  const server = await listenOnLoopback(async (request, reply) => {
    const callback = { headers: request.headers, body: await buffer(request) };
    received.push(callback);
    const { status = 200, body = 'OK', contentType = 'text/plain' } = answer(callback);
    reply.writeHead(status, { 'content-type': contentType }).end(body);
  });
  return { ...server, received };
}

/** Sets a control of a fake: `POST /_control/NAME`. Returns its answer. */
export async function setControl(fakeUrl: string, name: string, input: object = {}): Promise<Record<string, unknown>> {
  const reply = await fetch(`${fakeUrl}/_control/${name}`, { method: 'POST', body: JSON.stringify(input) });
  if (!reply.ok) throw new Error(`control ${name}: HTTP ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}
