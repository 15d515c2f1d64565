import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export const faultNames = [
  /** The request takes effect, and its connection breaks before the answer. */
  'answer_lost',
  /** The request takes effect and is never answered. */
  'never_answered',
  'too_many_requests',
  'server_error',
  /** HTTP 200 with a page for people. */
  'maintenance_page',
  /** The answer ends in the middle. */
  'truncated',
  /** The answer comes byte by byte, 100 ms apart. */
  'slow',
] as const;
export type Fault = (typeof faultNames)[number];

/** What goes wrong with the next requests. */
export interface Faults {
  /** The next `times` requests whose path begins with `path` (default: all) have this fault. */
  next(fault: Fault, times?: number, path?: string): void;
  /** How many requests took effect and wait for an answer that never comes. */
  unanswered(): number;
  clear(): void;
}

const maintenancePage = '<!doctype html><title>Maintenance</title><p>We will be back soon.</p>';

/** Adds faults to a server. Its control routes, which begin with `/_control`, have none. */
export function addFaults(app: FastifyInstance): Faults {
  let planned: { fault: Fault; left: number; path: string }[] = [];
  let unanswered = 0;
  const ofRequest = new WeakMap<FastifyRequest, Fault>();
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/_control')) return;
    const plan = planned.find(({ left, path }) => left > 0 && request.url.startsWith(path));
    if (!plan) return;
    plan.left -= 1;
    ofRequest.set(request, plan.fault);
    await answerInstead(plan.fault, reply);
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    const fault = ofRequest.get(request);
    if (fault !== 'never_answered') return spoil(fault, request, payload);
    const { socket } = request.raw;
    unanswered += 1;
    if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
    unanswered -= 1;
    return payload;
  });
  return {
    next: (fault, times = 1, path = '/') => planned.push({ fault, left: times, path }),
    unanswered: () => unanswered,
    clear: () => {
      planned = [];
    },
  };
}

/** Faults in which the request is not handled. */
async function answerInstead(fault: Fault, reply: FastifyReply): Promise<void> {
  if (fault === 'too_many_requests') await reply.code(429).header('retry-after', '1').send({ error: 'rate limit' });
  if (fault === 'server_error') await reply.code(503).type('text/html').send(maintenancePage);
  if (fault === 'maintenance_page') await reply.code(200).type('text/html').send(maintenancePage);
}

/** Faults of the answer to a request that was handled. */
function spoil(fault: Fault | undefined, request: FastifyRequest, payload: unknown): unknown {
  const text = typeof payload === 'string' ? payload : '';
  if (fault === 'answer_lost') request.raw.socket.destroy();
  if (fault === 'truncated') return text.slice(0, Math.floor(text.length / 2));
  if (fault === 'slow') return Readable.from(byteByByte(text));
  return payload;
}

async function* byteByByte(text: string): AsyncGenerator<string> {
  for (const character of text) {
    await sleep(100);
    yield character;
  }
}
