import { makeHttpServer, type ServerOptions } from '../fake-provider/http-server.ts';
import { startCallbacks } from './callbacks.ts';
import type { ServerContext } from './context.ts';
import { openJournal } from './journal.ts';
import { openOrderBook } from './order-book.ts';
import { addRoutes } from './routes.ts';

export interface SandboxUpstreamOptions extends ServerOptions {
  /** The journal. Created if missing, otherwise continued. */
  stateFile: string;
  /** Shared with the callers. */
  secret: string;
  /** Multiplies the waits of scenarios and of callback retries. Default 1. Keep it the same over a restart. */
  timeFactor?: number;
}

export interface SandboxUpstream {
  url: string;
  close(): Promise<void>;
}

/** Starts the sandbox upstream: a real HTTP server. Rejects if the port is in use or the journal is damaged. */
export async function startSandboxUpstream(options: SandboxUpstreamOptions): Promise<SandboxUpstream> {
  const { secret, timeFactor = 1 } = options;
  if (secret === '') throw new Error('the sandbox upstream needs a secret');
  const { app, url, listen } = makeHttpServer(options);
  const journal = openJournal(options.stateFile);
  const book = openOrderBook(journal);
  const context: ServerContext = { book, secret, timeFactor, publicUrl: url };
  const callbacks = startCallbacks(context);
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
    await listen();
  } catch (error) {
    await close();
    throw error;
  }
  // Sends the callbacks that became due while no server ran.
  for (const { orderNo } of book.all()) callbacks.poke(orderNo);
  return { url: url(), close };
}
