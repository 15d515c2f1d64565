import type { FastifyInstance } from 'fastify';
import { addFaults, type Fault, type Faults, faultNames } from './faults.ts';
import { type HttpServer, makeHttpServer } from './http-server.ts';
import type { FakeOptions } from './provider-fake.ts';
import { type Delivery, openWebhooks, type Webhooks } from './webhooks.ts';

/** What every fake is built on: a server with raw bodies, faults, webhooks, a clock and timers. */
export interface FakeServer extends HttpServer {
  /** Routes read `request.body` as a Buffer, or undefined if there was none, whatever its content type. */
  app: FastifyInstance;
  faults: Faults;
  webhooks: Webhooks;
  /** The provider's clock, in Unix milliseconds. `Date` headers follow it. */
  clock: { now(): number; offsetMs: number };
  /** Runs `act` after `seconds` × the time factor, unless the fake is closed before. */
  after(seconds: number, act: () => void): void;
  /** Adds a control: `POST /_control/NAME`, with a JSON body. */
  addControl(name: string, act: (input: Record<string, unknown>) => unknown): void;
  /** `alsoClose` are closed after the server. */
  close(...alsoClose: { close(): unknown }[]): Promise<void>;
}

/**
 * Makes the server of a fake. The controls `faults` ({ fault, times?, path? }), `webhooks` ({ delivery } or
 * { release: true }) and `clock` ({ offsetSeconds }) are there from the start.
 */
export function openFakeServer(options: FakeOptions): FakeServer {
  const { timeFactor = 1 } = options;
  const http = makeHttpServer(options);
  const { app } = http;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  app.addHook('onSend', async (_request, reply) => {
    reply.header('date', new Date(clock.now()).toUTCString());
  });
  const faults = addFaults(app);
  const webhooks = openWebhooks(timeFactor);
  const timers = new Set<NodeJS.Timeout>();
  const server: FakeServer = {
    ...http,
    faults,
    webhooks,
    clock,
    after(seconds, act) {
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          act();
        },
        seconds * 1_000 * timeFactor,
      );
      timers.add(timer);
    },
    addControl: (name, act) => addControl(app, name, act),
    async close(...alsoClose) {
      for (const timer of timers) clearTimeout(timer);
      await app.close();
      await webhooks.close();
      for (const one of alsoClose) await one.close();
    },
  };
  addCommonControls(server);
  return server;
}

function addCommonControls({ addControl: add, faults, webhooks, clock }: FakeServer): void {
  add('faults', ({ fault, times, path }) => {
    if (!faultNames.includes(fault as Fault)) throw new Error(`fault is one of ${faultNames.join(', ')}`);
    faults.next(fault as Fault, Number(times ?? 1), String(path ?? '/'));
  });
  add('webhooks', ({ delivery, release }) => {
    if (release === true) webhooks.release();
    else webhooks.deliver(delivery as Delivery);
  });
  add('clock', ({ offsetSeconds }) => {
    clock.offsetMs = Number(offsetSeconds ?? 0) * 1_000;
  });
}

function addControl(app: FastifyInstance, name: string, act: (input: Record<string, unknown>) => unknown): void {
  app.post(`/_control/${name}`, async (request, reply) => {
    const text = request.body instanceof Buffer ? request.body.toString('utf8') : '';
    try {
      return (await act(text === '' ? {} : JSON.parse(text))) ?? { ok: true };
    } catch (error) {
      return reply.code(400).send({ error: error instanceof Error ? error.message : 'not a control' });
    }
  });
}
