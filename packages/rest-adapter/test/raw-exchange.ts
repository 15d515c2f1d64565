import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Bytes to send, or milliseconds to wait before the next. */
type Step = string | Buffer | number;

export interface RawAnswer {
  /** Everything received before the server closed the connection, or the time was up. */
  text: string;
  closed: boolean;
  /** The JSON bodies in it, in order. */
  envelopes: { code: number; msg: string; data: unknown }[];
}

/** Sends bytes to a server, and closes its side at `end`. Waits until the server closes the connection. */
export async function exchange(
  port: number,
  steps: Step[],
  options: { end?: 'at once' | 'when answered'; withinMs?: number } = {},
): Promise<RawAnswer> {
  const socket = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  const closed = new Promise<boolean>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (options.end === 'when answered' && text.endsWith('}')) socket.end();
    });
    socket.on('end', () => resolve(true));
    socket.on('error', () => resolve(true));
    setTimeout(resolve, options.withinMs ?? 5_000, false).unref();
  });
  for (const step of steps) {
    if (typeof step === 'number') await delay(step);
    else if (socket.writable) socket.write(step);
  }
  if (options.end === 'at once') socket.end();
  const isClosed = await closed;
  socket.destroy();
  const bodies = [...text.matchAll(/\r\n\r\n(\{.*?\})(?=HTTP\/1\.1|$)/gs)];
  return { text, closed: isClosed, envelopes: bodies.map(([, body = '']) => JSON.parse(body)) };
}
