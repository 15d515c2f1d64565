import { type AddressInfo, createServer, type Socket } from 'node:net';

/**
 * A Sentinel whose moments the test chooses. It names one Redis server. The real one cannot be made to announce a new server within the
 * few milliseconds in which a client asks for it.
 */
export interface ScriptedSentinel {
  port: number;
  /** Called when a client asks for the server. The answer waits for it. */
  asked(beforeAnswer: () => Promise<void>): void;
  /** Announces to every subscriber that the server is another one now. */
  announce(): void;
  close(): Promise<void>;
}

const bulk = (...texts: string[]): string =>
  `*${texts.length}\r\n${texts.map((text) => `$${text.length}\r\n${text}\r\n`).join('')}`;
const channel = '+switch-master';

export async function startScriptedSentinel(serverUrl: string): Promise<ScriptedSentinel> {
  const { hostname, port } = new URL(serverUrl);
  const subscribers = new Set<Socket>();
  const open = new Set<Socket>();
  let beforeAnswer = async (): Promise<void> => undefined;
  const answer = async (socket: Socket, command: string): Promise<void> => {
    if (command.includes('get-master-addr-by-name')) {
      await beforeAnswer();
      socket.write(bulk(hostname, port));
    } else if (command.includes('sentinels')) socket.write('*0\r\n');
    else if (command.includes(channel)) {
      subscribers.add(socket);
      socket.write(`*3\r\n$9\r\nsubscribe\r\n$${channel.length}\r\n${channel}\r\n:1\r\n`);
    } else socket.write('+OK\r\n');
  };
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => {
      open.delete(socket);
      subscribers.delete(socket);
    });
    socket.on('error', () => undefined);
    // Each command is an array; several can arrive together.
    socket.on('data', async (bytes) => {
      for (const command of bytes.toString().split(/^\*/m).slice(1)) await answer(socket, command.toLowerCase());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked: (wanted) => {
      beforeAnswer = wanted;
    },
    announce: () => {
      for (const socket of subscribers) socket.write(bulk('message', channel, 'tidegate 127.0.0.1 1 127.0.0.1 2'));
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
