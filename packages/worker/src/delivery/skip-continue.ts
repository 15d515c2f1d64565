import type { Socket } from 'node:net';

/** The longest interim reply that is waited for. A longer one is left to the HTTP client, which refuses it. */
const longest = 16_384;
const continues = ['HTTP/1.1 100', 'HTTP/1.0 100'] as const;
const end = Buffer.from('\r\n\r\n');

/**
 * Takes replies `100 Continue` out of what is read from this socket. A server may send them unasked, and a client has to
 * skip them (RFC 9110, 15.2), but undici ends the connection. Returns a function to call before each request.
 */
export function skipContinue(socket: Socket): () => void {
  const read = socket.read.bind(socket);
  let isStart = false;
  let held: Buffer = Buffer.alloc(0);
  socket.read = () => {
    const chunk: Buffer | null = read();
    if (!isStart || chunk === null) return chunk;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const rest = afterContinues(held);
    if (rest === 'incomplete' && held.length <= longest) return null;
    const passed = rest === 'incomplete' ? held : rest;
    held = Buffer.alloc(0);
    if (passed.length === 0) return null;
    isStart = false;
    return passed;
  };
  return () => {
    isStart = true;
  };
}

/** What follows the interim replies at the beginning; `incomplete` if more bytes have to show whether it is one. */
function afterContinues(bytes: Buffer): Buffer | 'incomplete' {
  let rest = bytes;
  for (;;) {
    const head = rest.subarray(0, continues[0].length).toString('latin1');
    if (rest.length === 0 || !continues.some((one) => one.startsWith(head))) return rest;
    const at = rest.indexOf(end);
    if (at < 0) return 'incomplete';
    rest = rest.subarray(at + end.length);
  }
}
