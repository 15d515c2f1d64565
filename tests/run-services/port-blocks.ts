import { createServer, type Server } from 'node:net';
import { isPortFree, LOOPBACK } from '../../tools/sandbox/src/ports.ts';

/** How many ports in a row one caller gets. The last one of a block is its guard. */
const BLOCK = 20;
/** Below the range that the system uses for outgoing connections and for port 0. */
const FIRST = 20_000;
const BLOCKS = 600;

export interface PortBlocks {
  /** The first of 19 free ports in a row that no other test gets, in this run or in a concurrent one. */
  reserve(): Promise<number>;
  release(): void;
}

/** Gives out blocks of ports. A block is in use as long as this process listens on its guard. */
export function portBlocks(): PortBlocks {
  const guards: Server[] = [];
  return {
    reserve: async () => {
      for (let tries = 0; tries < BLOCKS; tries++) {
        const base = FIRST + BLOCK * Math.floor(Math.random() * BLOCKS);
        const guard = await listen(base + BLOCK - 1);
        if (guard === null) continue;
        guards.push(guard);
        const ports = Array.from({ length: BLOCK - 1 }, (_, offset) => isPortFree(base + offset));
        if ((await Promise.all(ports)).every(Boolean)) return base;
      }
      throw new Error(`no ${BLOCK} free ports in a row from ${FIRST} on`);
    },
    release: () => {
      for (const guard of guards) guard.close();
    },
  };
}

/** Null where another process listens on that port. */
function listen(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => resolve(server));
  });
}
