import { connect, type Socket } from 'node:net';

/** A keep-alive connection for one request at a time. It costs so little that the figures are those of the server. */
export interface HttpConnection {
  /**
   * Sends a request, and resolves with status and body of the answer. Reconnects if the server has closed the
   * connection.
   */
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
      // Writing to a closed socket causes no error in Node, and an answer never arrives.
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
      // Ignores data between two requests, e.g. a 408 answer to an idle connection. The server then closes the
      // connection.
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
