import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readBody, readQuery, verify } from '@tidegate/signature';
import { onTestFinished } from 'vitest';
import { keepKeyPair } from '../../domain/src/testing/key-pool.ts';

export const { privateKey, publicKey } = keepKeyPair();
export const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** A request that the service received. */
export interface Seen {
  method: string;
  path: string;
  query: string;
  body: string;
  nonce: string;
  isSigned: boolean;
}

/** How the service reacts to a request: an answer, a closed connection, or silence. */
export type ScriptedReply =
  | { code: number; msg?: string; data?: unknown; http?: number; headers?: Record<string, string> }
  | { raw: string; http: number }
  | 'cut'
  | 'silence';

export interface ScriptedService {
  url: string;
  seen: Seen[];
}

/** A service whose reactions a test decides. It verifies the signature of each request. */
export async function scriptedService(decide: (request: Seen, nth: number) => ScriptedReply): Promise<ScriptedService> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const one = await read(request);
    seen.push(one);
    answer(response, decide(one, seen.length));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

async function read(request: IncomingMessage): Promise<Seen> {
  const { pathname, search } = new URL(request.url ?? '', 'http://service');
  const header = (name: string) => String(request.headers[name] ?? '');
  const body = await text(request);
  const query = search.slice(1);
  const fields = request.method === 'POST' ? readBody(Buffer.from(body)) : readQuery(query);
  const content = fields.content(header('x-timestamp'), header('x-nonce'));
  return {
    method: request.method ?? '',
    path: pathname.replace('/api/v1/merchant', ''),
    query,
    body,
    nonce: header('x-nonce'),
    isSigned: verify(content, header('x-sign'), publicKey),
  };
}

function answer(response: ServerResponse, reply: ScriptedReply): void {
  if (reply === 'silence') return;
  if (reply === 'cut') response.destroy();
  else if ('raw' in reply) response.writeHead(reply.http).end(reply.raw);
  else {
    const {
      code,
      msg = 'success',
      data = null,
      http = code === 0 ? 200 : Math.floor(code / 100),
      headers = {},
    } = reply;
    response.writeHead(http, { 'x-request-id': 'r-1', ...headers }).end(JSON.stringify({ code, msg, data }));
  }
}
