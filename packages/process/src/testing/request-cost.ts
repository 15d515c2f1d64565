import { type ChildProcess, fork } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Answer, Order, SentRequest } from './sent-request.ts';

export type { SentRequest };

/**
 * Builds servers with `build`, until they are ready, and returns the routes of all of them, such as `POST /graphql`. So
 * no test can overlook a route. Routes that only refuse other methods are `other methods /graphql`.
 */
export async function routesOf<Built>(build: () => Promise<Built>): Promise<{ built: Built; routes: string[] }> {
  const found = new Set<string>();
  const watch = (message: unknown): void => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      const methods = [method].flat();
      if (methods.length > 4) found.add(`other methods ${url}`);
      else for (const one of methods) found.add(`${one} ${url}`);
    });
  };
  subscribe('fastify.initialization', watch);
  try {
    const built = await build();
    return { built, routes: [...found].toSorted() };
  } finally {
    unsubscribe('fastify.initialization', watch);
  }
}

export interface RequestCost {
  /**
   * The processor time of this process for one request, in milliseconds, with all its threads. `make` makes the n-th
   * request. The least of several batches counts. Other programs make all work slower. So the time is divided by how
   * much slower a plain server of this process was just after. Ends early at `enoughMs`.
   */
  measure(port: number, make: (n: number) => SentRequest, enoughMs: number): Promise<MeasuredCost>;
  close(): void;
}

export interface MeasuredCost {
  ms: number;
  /** The different HTTP statuses of the answers. */
  statuses: number[];
}

/** The kernel counts processor time in steps of up to 10 ms, so a batch needs many requests. */
const batchSize = 60;
/** The first one does not count: Node compiles the code then. */
const mostBatches = 30;
/** The plain server is measured after so many batches, when its code is compiled. */
const warmBatches = 8;
/** What `plainServer` takes for one request on an idle machine, in milliseconds. */
const plainIdleMs = 0.11;

export function openRequestCost(): RequestCost {
  const sender = fork(fileURLToPath(new URL('./send-batches.ts', import.meta.url)));
  const plain = plainServer();
  let made = 0;
  const send = async (port: number, make: (n: number) => SentRequest) => {
    const requests = Array.from({ length: batchSize }, () => make(made++));
    await tell(sender, { port, requests });
    const before = process.cpuUsage();
    const answer = await tell(sender, 'send');
    const { user, system } = process.cpuUsage(before);
    return { ms: (user + system) / 1_000 / batchSize, statuses: answer === 'ready' ? [] : answer.statuses };
  };
  const sendPlain = async () => send(await plain.port, () => ({ method: 'POST', path: '/', body: plainBody }));
  let isWarm: Promise<unknown> | undefined;
  const warmUp = async (): Promise<void> => {
    for (let batch = 0; batch < warmBatches; batch += 1) await sendPlain();
  };
  /** How many times longer a plain request takes now than on an idle machine; at least 1. */
  const slowness = async (): Promise<number> => {
    isWarm ??= warmUp();
    await isWarm;
    return Math.max(1, (await sendPlain()).ms / plainIdleMs);
  };
  return {
    measure: async (port, make, enoughMs) => {
      let least = Number.POSITIVE_INFINITY;
      const statuses = new Set<number>();
      for (let batch = 0; batch < mostBatches && least > enoughMs; batch += 1) {
        const sent = await send(port, make);
        for (const status of sent.statuses) statuses.add(status);
        if (batch === 0) continue;
        least = Math.min(least, sent.ms > enoughMs ? sent.ms / (await slowness()) : sent.ms);
      }
      return { ms: least, statuses: [...statuses] };
    },
    close: () => {
      sender.kill();
      plain.close();
    },
  };
}

const plainBody = JSON.stringify(Array.from({ length: 500 }, (_, i) => `${i}`));

/** A server of this process that only reads JSON. So it is slowed by other programs as the measured server is. */
function plainServer(): { port: Promise<number>; close: () => void } {
  // It closes no connection by itself: the sender would notice only with its next request.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    response.end(JSON.stringify(JSON.parse(Buffer.concat(parts).toString())));
  }).listen(0, '127.0.0.1');
  const port = once(server, 'listening').then(() => (server.address() as AddressInfo).port);
  return { port, close: () => void server.close() };
}

async function tell(sender: ChildProcess, order: Order): Promise<Answer> {
  const ended = new AbortController();
  const answered = once(sender, 'message', { signal: ended.signal });
  const end = (): void => ended.abort(new Error('the sending process has ended'));
  sender.once('exit', end).send(order);
  try {
    const [answer] = (await answered) as [Answer];
    return answer;
  } finally {
    sender.off('exit', end);
  }
}
