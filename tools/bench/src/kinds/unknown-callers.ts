import type { BenchEnvironment } from '../bench-environment.ts';
import type { Timing } from '../closed-loop.ts';
import { type HttpConnection, openHttpConnection } from '../http-connection.ts';
import type { Kind, Measured, Row } from '../row.ts';
import { arriveAtRest } from '../send-to-rest.ts';
import { httpRequest, signRequests } from '../signed-requests.ts';
import { type Placed, placeOrders, queryOf } from './queries.ts';

const quiet = 'payin query p99, alone';
const beside = 'payin query p99, next to unknown callers';

const rows: readonly Row[] = [
  { name: quiet, unit: 'ms' },
  { name: beside, unit: 'ms', peers: [quiet], aim: { atMost: 2 } },
];

/** The queries of the honest merchant. */
const honest = { perSecond: 50, connections: 32 };
/** The requests of unknown callers: 200 a second on 16 connections. */
const unknownCallers = { perSecond: 200, connections: 16 };
const orders = 200;

/** Signed queries at a fixed rate, alone and while unknown callers send the requests that take the most time to refuse. */
export const besideUnknownCallers: Kind = {
  rows,
  merchants: 20,
  measure: async ({ environment, timing }, wanted, report) => {
    const database = await environment.freshDatabase();
    try {
      const placed = await placeOrders(await environment.openDomain(database.url), orders);
      const rest = await environment.start('rest-adapter', database.url);
      try {
        for (const row of wanted) {
          const flood = row.name === beside ? await openFlood(rest.port) : null;
          try {
            const measured = await measureHonest(environment, rest.port, placed, timing);
            const note = flood ? `${flood.answered()} requests of unknown callers were refused` : undefined;
            report(row.name, { ...measured, ...(note !== undefined && { note }) });
          } finally {
            await flood?.stop();
          }
        }
      } finally {
        await rest.stop();
      }
    } finally {
      await database.drop();
    }
  },
};

async function measureHonest(
  environment: BenchEnvironment,
  port: number,
  placed: readonly Placed[],
  timing: Timing,
): Promise<Measured> {
  let next = 0;
  const count = Math.ceil((timing.warmUp + timing.seconds) * honest.perSecond);
  const requests = await signRequests(count, environment.keys.privateKeyPem, port, () =>
    queryOf(placed[next++ % placed.length] as Placed),
  );
  const { p99Ms, p999Ms, medianMs } = await arriveAtRest(port, honest, requests, timing);
  return { figure: p99Ms, waitMs: medianMs, p99Ms, p999Ms };
}

/**
 * Sends the worst requests at a fixed rate until it is stopped. A connection that still waits for its answer leaves its
 * turn out, as 16 connections cannot send more.
 */
async function openFlood(port: number): Promise<{ answered(): number; stop(): Promise<void> }> {
  const connections = await Promise.all(
    Array.from({ length: unknownCallers.connections }, () => openHttpConnection(port)),
  );
  let isOver = false;
  let answered = 0;
  const everyMs = (1_000 * unknownCallers.connections) / unknownCallers.perSecond;
  const send = async (connection: HttpConnection, n: number): Promise<void> => {
    await waitUntil(performance.now() + (n * everyMs) / unknownCallers.connections);
    while (!isOver) {
      const due = performance.now() + everyMs;
      await connection.ask(worstRequest(port, answered + n));
      answered += 1;
      await waitUntil(due);
    }
  };
  const sending = Promise.all(connections.map(send));
  return {
    answered: () => answered,
    stop: async () => {
      isOver = true;
      await sending;
      for (const connection of connections) connection.close();
    },
  };
}

function waitUntil(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms - performance.now())));
}

/** 64 KiB with a junk signature by an unknown merchant: half of them with as many elements as fit, half with long names. */
function worstRequest(port: number, n: number): Buffer {
  const body = n % 2 === 0 ? manyElements : longNames;
  const headers = {
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-merchant-no': `NOBODY-${n % 1_000}`,
    'x-timestamp': String(Math.floor(Date.now() / 1_000)),
    'x-nonce': `unknown-${n}`,
    'x-sign': Buffer.alloc(256, 7).toString('base64'),
  };
  return httpRequest('POST', '/api/v1/merchant/payin/create', headers, body);
}

const manyElements = `{"a":[${Array(32_700).fill('1').join(',')}]}`;
const longNames = `{${Array.from({ length: 550 }, (_, i) => `"${'%'.repeat(72)}${((i * 7919) % 65_536).toString(36)}":1`).join(',')}}`;
