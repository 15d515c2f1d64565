import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';

/**
 * Sends a stream of server-sent events and resolves at its end. Either side may end it; it also ends if the client
 * accepts nothing for `silentMs`. The route's time limit does not apply. The connection is closed with the stream: a
 * server that shuts down must not wait for a kept connection.
 */
export async function sendEvents(
  reply: FastifyReply,
  response: Response,
  body: AsyncIterable<Uint8Array>,
  silentMs: number,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const headers = {
    ...reply.getHeaders(),
    'content-type': response.headers.get('content-type') ?? 'text/event-stream',
    connection: 'close',
    // Tells proxies not to buffer the events.
    'x-accel-buffering': 'no',
  };
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(response.status);
  raw.socket?.setTimeout(silentMs, () => raw.destroy());
  // If the client has left, the stream has ended and needs no answer.
  await pipeline(body, raw).catch(() => undefined);
}
