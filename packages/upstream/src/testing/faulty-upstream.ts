import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LoopbackServer, listenOnLoopback } from './loopback.ts';

export interface SeenRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** What the server does with a request. It receives the rest of the exchange. */
export type Behaviour = (request: SeenRequest, reply: ServerResponse) => void | Promise<void>;

export interface FaultyUpstream extends LoopbackServer {
  seen: SeenRequest[];
}

/** A server on loopback that behaves as `behave` says. */
export async function startFaultyUpstream(behave: Behaviour): Promise<FaultyUpstream> {
  const seen: SeenRequest[] = [];
  const server = await listenOnLoopback(async (request, reply) => {
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, body: await text(request) };
    seen.push(one);
    await behave(one, reply);
  });
  return { ...server, seen };
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
