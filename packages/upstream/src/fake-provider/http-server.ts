import fastify, { type FastifyInstance } from 'fastify';

/** Address of a fake, and the log of its requests. */
export interface ServerOptions {
  /** 0: any free port. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string;
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

export interface HttpServer {
  app: FastifyInstance;
  /** Only after `listen`. */
  url(): string;
  listen(): Promise<void>;
}

/** A server with the limits of all servers of the service. Its requests are logged if there is a log. */
export function makeHttpServer({ host = '127.0.0.1', port, log }: ServerOptions): HttpServer {
  const app = fastify({
    bodyLimit: 64 * 1024,
    requestTimeout: 10_000,
    forceCloseConnections: true,
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 1_000 },
  });
  if (log)
    app.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unknown';
      log({ method: request.method, route, status: reply.statusCode, milliseconds: Math.round(reply.elapsedTime) });
    });
  return {
    app,
    url() {
      const address = app.server.address();
      if (address === null || typeof address === 'string') throw new Error('the server does not listen yet');
      return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
    },
    listen: async () => {
      await app.listen({ host, port });
    },
  };
}
