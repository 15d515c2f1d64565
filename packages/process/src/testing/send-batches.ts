import { Agent, request } from 'node:http';
import type { Answer, Order, SentRequest } from './sent-request.ts';

// A process of its own, so that the processor time of the sender is not counted as the server's.

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

let prepared: { port: number; requests: SentRequest[] } = { port: 0, requests: [] };

process.on('message', async (order: Order) => {
  if (order !== 'send') {
    prepared = order;
    return tell('ready');
  }
  const statuses: number[] = [];
  for (const one of prepared.requests) statuses.push(await send(prepared.port, one));
  tell({ statuses });
});

function tell(answer: Answer): void {
  process.send?.(answer);
}

/** The status of the answer, whose body is discarded. */
function send(port: number, { method, path, headers = {}, body = '' }: SentRequest): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const sent = request({ agent, host: '127.0.0.1', port, method, path, headers: { ...length, ...headers } });
  sent.on('response', (response) => {
    response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
    response.resume();
  });
  sent.on('error', reject).end(body);
  return promise;
}
