import { connect, type Socket } from 'node:net';

/** A kept connection for one request at a time. It is so cheap that the server is what is measured. */
export interface HttpConnection {
  /** Writes a request, and resolves with the answer's status and body. */
  ask(request: Buffer): Promise<{ status: number; body: string }>;
  close(): void;
}

export async function openHttpConnection(port: number): Promise<HttpConnection> {
  const socket = await connected(port);
  let waiting: PromiseWithResolvers<{ status: number; body: string }> | undefined;
  let read = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    read += text;
    const answer = wholeAnswer(read);
    if (!answer) return;
    read = '';
    waiting?.resolve(answer);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the server hung up')));
  return {
    ask: (request) => {
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** All answers here have Content-Length. */
function wholeAnswer(text: string): { status: number; body: string } | null {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]);
  if (Number.isNaN(length)) throw new Error('an answer without its length');
  const body = text.slice(end + 4);
  return body.length < length ? null : { status: Number(text.slice(9, 12)), body };
}
