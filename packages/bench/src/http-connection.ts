import { connect, type Socket } from 'node:net';

/** A kept connection for one request at a time. It is so cheap that the server is what is measured. */
export interface HttpConnection {
  /** Writes a request, and resolves with the answer's status and body. Connects again if the server has closed the idle connection. */
  ask(request: Buffer): Promise<Answer>;
  close(): void;
}

interface Answer {
  status: number;
  body: string;
}

export async function openHttpConnection(port: number): Promise<HttpConnection> {
  let socket = await connected(port);
  return {
    ask: async (request) => {
      // Node reports no error for data that is written to a closed socket, and no answer arrives.
      if (socket.readyState !== 'open') {
        socket.destroy();
        socket = await connected(port);
      }
      return answerTo(socket, request);
    },
    close: () => socket.destroy(),
  };
}

function answerTo(socket: Socket, request: Buffer): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let read = '';
  const onData = (text: string): void => {
    read += text;
    try {
      const answer = wholeAnswer(read);
      if (answer) resolve(answer);
    } catch (error) {
      reject(error);
    }
  };
  const onClose = (): void => reject(new Error('the server hung up'));
  socket.on('data', onData).on('error', reject).on('close', onClose);
  socket.write(request);
  return promise.finally(() => socket.off('data', onData).off('error', reject).off('close', onClose).resume());
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.setEncoding('latin1');
      // Data between two requests, such as a 408 of a server that waited too long, only closes the connection.
      socket.on('error', () => undefined).resume();
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** All answers here have Content-Length. */
function wholeAnswer(text: string): Answer | null {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]);
  if (Number.isNaN(length)) throw new Error('an answer without its length');
  const body = text.slice(end + 4);
  return body.length < length ? null : { status: Number(text.slice(9, 12)), body };
}
