import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export interface SeenRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** What the server does with a request. It receives the rest of the exchange. */
export type Behaviour = (request: SeenRequest, reply: ServerResponse) => void | Promise<void>;

export interface FaultyUpstream {
  url: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}

/** A server on loopback that behaves as `behave` says. */
export async function startFaultyUpstream(behave: Behaviour): Promise<FaultyUpstream> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request: IncomingMessage, reply: ServerResponse) => {
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, body: await text(request) };
    seen.push(one);
    await behave(one, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the faulty upstream does not listen');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Forwards a request to the upstream at `url`, and returns its answer. */
export async function passOn(
  url: string,
  { method, path, headers, body }: SeenRequest,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const sent = Object.entries(headers).filter(
    (header): header is [string, string] =>
      typeof header[1] === 'string' &&
      !/^(host|connection|content-length|transfer-encoding|keep-alive)$/.test(header[0]),
  );
  const reply = await fetch(url + path, { method, headers: sent, ...(method === 'GET' ? {} : { body }) });
  const dropped = /^(connection|content-length|keep-alive|transfer-encoding)$/;
  const kept = [...reply.headers].filter(([name]) => !dropped.test(name));
  return { status: reply.status, headers: Object.fromEntries(kept), body: await reply.text() };
}
