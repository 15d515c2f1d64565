import { setTimeout as delay } from 'node:timers/promises';
import { fastify } from 'fastify';
import { closeConnectionsAtEnd } from '../src/close-connections.ts';
import { drainOnSignal } from '../src/drain.ts';
import { addHealthRoutes } from '../src/health.ts';
import { makeLog } from '../src/log.ts';

// A process that shuts down like the real ones. Arguments: how long the notice, a slow request and the last step take,
// and the time limit of all. Each is in milliseconds; request and step also accept `never` and `fails`.

const [notice = '0', request = '0', step = '0', within = '5000'] = process.argv.slice(2);

const take = async (how: string): Promise<void> => {
  if (how === 'never') await new Promise(() => undefined);
  if (how === 'fails') throw new Error('this step fails');
  await delay(Number(how));
};

const ending = new AbortController();
const log = makeLog('ending', 'info');
const server = fastify({ return503OnClosing: false });
closeConnectionsAtEnd(server, { ending: ending.signal, finishWithinMs: 1_000 });
addHealthRoutes(server, { nothing: async () => undefined }, log, ending.signal);
server.get('/slow', async () => {
  log.info({}, 'asked');
  await take(request);
  return 'done';
});
const address = await server.listen({ port: 0, host: '127.0.0.1' });
drainOnSignal({
  ending,
  log,
  noticeMs: Number(notice),
  withinMs: Number(within),
  steps: { requests: () => server.close(), second: () => take(step), third: () => log.info({}, 'third') },
});
log.info({ address }, 'listening');
