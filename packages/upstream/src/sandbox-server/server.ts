import fastify, { type FastifyInstance } from 'fastify';
import { startCallbacks } from './callbacks.ts';
import type { ServerContext } from './context.ts';
import { openJournal } from './journal.ts';
import { openOrderBook } from './order-book.ts';
import { addRoutes } from './routes.ts';

export interface SandboxUpstreamOptions {
  /** 0: any free port. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** The journal. Created if missing, otherwise continued. */
  stateFile: string;
  /** Shared with the callers. */
  secret: string;
  /** Multiplies the waits of scenarios and of callback retries. Default 1. Keep it the same over a restart. */
  timeFactor?: number;
  /** Receives one line per finished request, without bodies or headers. */
  log?: (line: RequestLine) => void;
}

export interface RequestLine {
  method: string;
  /** The pattern of the route, without ids. */
  route: string;
  status: number;
  milliseconds: number;
}

export interface SandboxUpstream {
  url: string;
  close(): Promise<void>;
}

/** Starts the sandbox upstream: a real HTTP server. Rejects if the port is taken or the journal is damaged. */
export async function startSandboxUpstream(options: SandboxUpstreamOptions): Promise<SandboxUpstream> {
  const { host = '127.0.0.1', port, secret, timeFactor = 1 } = options;
  if (secret === '') throw new Error('the sandbox upstream needs a secret');
  const app = fastify({
    ...{ bodyLimit: 64 * 1024, requestTimeout: 10_000, forceCloseConnections: true },
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 1_000 },
  });
  const journal = openJournal(options.stateFile);
  const book = openOrderBook(journal);
  const context: ServerContext = { book, secret, timeFactor, publicUrl: () => addressOf(app, host) };
  const callbacks = startCallbacks(context);
  logRequests(app, options.log);
  addRoutes(app, { ...context, callbacks });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= app
      .close()
      .then(() => callbacks.close())
      .then(() => journal.close());
    return closed;
  };
  try {
    await app.listen({ host, port });
  } catch (error) {
    await close();
    throw error;
  }
  // Sends the callbacks that became due while no server ran.
  for (const { orderNo } of book.all()) callbacks.poke(orderNo);
  return { url: context.publicUrl(), close };
}

function addressOf(app: FastifyInstance, host: string): string {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen yet');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

function logRequests(app: FastifyInstance, log: SandboxUpstreamOptions['log']): void {
  if (!log) return;
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    log({ method: request.method, route, status: reply.statusCode, milliseconds: Math.round(reply.elapsedTime) });
  });
}
