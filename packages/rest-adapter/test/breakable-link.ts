import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/** A TCP link to a server that a test can break: `cut` refuses and ends connections, `stall` lets nothing through any more. */
export interface BreakableLink {
  url: string;
  cut(): void;
  stall(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function linkTo(target: string): Promise<BreakableLink> {
  const { hostname, port } = new URL(target);
  let state: 'whole' | 'cut' | 'stalled' = 'whole';
  const open = new Set<Socket>();
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = createConnection({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('data', (bytes) => {
        if (state === 'whole') to.write(bytes);
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
    mend: () => {
      // What was swallowed is lost: connected clients must begin anew.
      if (state === 'stalled') endAll();
      state = 'whole';
    },
    close: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
