import { measureRate, type Rate, type Timing } from './closed-loop.ts';
import { openHttpConnection } from './http-connection.ts';

/** Sends signed requests over kept connections, one at a time on each. Every one has to be answered with code 0. */
export async function askRest(port: number, connections: number, requests: Buffer[], timing: Timing): Promise<Rate> {
  const open = await Promise.all(Array.from({ length: connections }, () => openHttpConnection(port)));
  let next = 0;
  try {
    return await measureRate(connections, timing, async (caller) => {
      const request = requests[next];
      next += 1;
      const connection = open[caller];
      if (!request || !connection) return false;
      const { status, body } = await connection.ask(request);
      if (status !== 200) throw new Error(`answered with ${status}: ${body}`);
      return true;
    });
  } finally {
    for (const connection of open) connection.close();
  }
}
