import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { BrowserServer } from 'playwright-core';
import { LOOPBACK } from '../../tools/sandbox/src/ports.ts';
import { portBlocks } from './port-blocks.ts';
import type { RunServices } from './run-services.ts';
import { seededDatabases } from './seeded-databases.ts';
import { type SandboxRequest, sharedSandboxes } from './shared-sandboxes.ts';

/**
 * Serves, on a loopback port, what the system tests of one run share: blocks of ports, databases with the demo merchants,
 * sandboxes, and a browser. `databasesUrl` is where empty databases are asked for. Nothing is made before it is asked for.
 */
export async function serveRun(databasesUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const make = async (what: 'database' | 'redis'): Promise<string> => {
    const response = await fetch(`${databasesUrl}/${what}`, { method: 'POST' });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  };
  const ports = portBlocks();
  const databases = seededDatabases(() => make('database'));
  let browser: Promise<BrowserServer> | undefined;
  const services: RunServices = {
    reservePorts: ports.reserve,
    seedKeys: databases.keys,
    seedDatabase: databases.copy,
    newRedis: () => make('redis'),
    browser: async () => {
      browser ??= import('../start-browser.ts').then(({ serveBrowser }) => serveBrowser());
      return (await browser).wsEndpoint();
    },
  };
  const sandboxes = sharedSandboxes(services);
  const answers: Record<string, (body: unknown) => Promise<unknown>> = {
    '/ports': services.reservePorts,
    '/keys': services.seedKeys,
    '/browser': services.browser,
    '/database': (body) => services.seedDatabase((body as { receiverUrl: string }).receiverUrl),
    '/sandbox': (body) => sandboxes.borrow(body as SandboxRequest),
  };
  const answer = async (request: IncomingMessage): Promise<string> => {
    const found = answers[request.url ?? ''];
    if (!found) throw new Error(`nothing here answers ${request.url}`);
    return JSON.stringify(await found(await json(request)));
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (text) => response.end(text),
      (error) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await sandboxes.stop();
      await (await browser)?.close();
      ports.release();
    },
  };
}
