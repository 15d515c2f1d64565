import { measureRate, type Rate, type Timing } from './closed-loop.ts';
import { type HttpConnection, openHttpConnection } from './http-connection.ts';
import { arrivalsOf, measureArrivals, type Waits } from './open-loop.ts';

/**
 * Sends prepared requests over keep-alive connections until the time is over or all are sent. The connections are
 * shared out evenly over the processes at `ports`, and each carries one request at a time. Throws for an answer other
 * than 200. `counting` is called when the measured time begins. `isOver` can end it early.
 */
export async function sendToRest(
  ports: readonly number[],
  connections: number,
  requests: readonly Buffer[],
  timing: Timing,
  counting?: () => void,
  isOver: () => boolean = () => false,
): Promise<Rate> {
  const open = await openConnections(ports, connections);
  let next = 0;
  const ask = async (caller: number): Promise<boolean> => {
    const request = requests[next];
    next += 1;
    const connection = open[caller];
    if (!request || !connection || isOver()) return false;
    await askOn(connection, request);
    return true;
  };
  try {
    return await measureRate(connections, timing, ask, counting);
  } finally {
    for (const connection of open) connection.close();
  }
}

/** How requests arrive in an open loop. */
export interface Arriving {
  perSecond: number;
  /** The number of connections. A request that arrives while all of them are busy waits, and this time counts too. */
  connections: number;
}

/**
 * Sends prepared requests at a fixed rate, even while earlier ones are unanswered. Throws for an answer other than 200.
 */
export async function arriveAtRest(
  port: number,
  { perSecond, connections }: Arriving,
  requests: readonly Buffer[],
  timing: Timing,
  counting?: () => void,
): Promise<Waits> {
  const open = await openConnections([port], connections);
  const free = [...open];
  const waiting: ((connection: HttpConnection) => void)[] = [];
  const ask = async (arrival: number): Promise<void> => {
    const request = requests[arrival];
    if (!request) throw new Error('too few requests were prepared');
    const connection = free.pop() ?? (await new Promise<HttpConnection>((resolve) => waiting.push(resolve)));
    await askOn(connection, request);
    const next = waiting.shift();
    if (next) next(connection);
    else free.push(connection);
  };
  try {
    const arrivals = arrivalsOf(perSecond, timing.warmUp + timing.seconds);
    return await measureArrivals(arrivals, timing.warmUp * 1000, ask, counting);
  } finally {
    for (const connection of open) connection.close();
  }
}

function openConnections(ports: readonly number[], connections: number): Promise<HttpConnection[]> {
  return Promise.all(Array.from({ length: connections }, (_, i) => openHttpConnection(ports[i % ports.length] ?? 0)));
}

async function askOn(connection: HttpConnection, request: Buffer): Promise<void> {
  const { status, body } = await connection.ask(request);
  if (status !== 200) throw new Error(`answered with ${status}: ${body}`);
}
