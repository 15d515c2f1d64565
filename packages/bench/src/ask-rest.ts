import { measureRate, type Rate, type Timing } from './closed-loop.ts';
import { openHttpConnection } from './http-connection.ts';

/**
 * Sends prepared requests over kept connections, one at a time on each, until the time is over or all are sent. Every
 * answer must be 200. `counting` is called when the measured time begins.
 */
export async function askRest(
  port: number,
  connections: number,
  requests: readonly Buffer[],
  timing: Timing,
  counting?: () => void,
): Promise<Rate> {
  const open = await Promise.all(Array.from({ length: connections }, () => openHttpConnection(port)));
  let next = 0;
  const ask = async (caller: number): Promise<boolean> => {
    const request = requests[next];
    next += 1;
    const connection = open[caller];
    if (!request || !connection) return false;
    const { status, body } = await connection.ask(request);
    if (status !== 200) throw new Error(`answered with ${status}: ${body}`);
    return true;
  };
  try {
    return await measureRate(connections, timing, ask, counting);
  } finally {
    for (const connection of open) connection.close();
  }
}
