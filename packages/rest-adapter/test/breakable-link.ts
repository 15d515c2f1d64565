import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/** A TCP proxy that a test can break. */
export interface BreakableLink {
  url: string;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Stops passing data, on old and new connections. */
  stall(): void;
  /** Like `stall`, but clients can still sign in to PostgreSQL. Their statements wait until the client gives up. */
  silence(): void;
  repair(): void;
  close(): Promise<void>;
}

/** PostgreSQL's ReadyForQuery outside a transaction: the sign-in is over. */
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export async function linkTo(target: string): Promise<BreakableLink> {
  const { hostname, port } = new URL(target);
  let state: 'whole' | 'cut' | 'stalled' | 'silent' = 'whole';
  const open = new Set<Socket>();
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = createConnection({ host: hostname, port: Number(port) });
    let isSignedIn = false;
    const passes = () => state === 'whole' || (state === 'silent' && !isSignedIn);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('data', (bytes) => {
        if (passes()) to.write(bytes);
        if (from === far && bytes.includes(readyForQuery)) isSignedIn = true;
      });
      from.on('error', () => {});
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href,
    cut: () => {
      state = 'cut';
      endAll();
    },
    stall: () => {
      state = 'stalled';
    },
    silence: () => {
      state = 'silent';
    },
    repair: () => {
      // Discarded data is lost, so clients must reconnect.
      if (state === 'stalled' || state === 'silent') endAll();
      state = 'whole';
    },
    close: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
