import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';

/**
 * Sends a stream of server-sent events and resolves at its end, whoever ends it: also where nothing of it was taken for `silentMs`.
 * No time limit of the route holds for it. Its connection is closed with it: a server that ends must not wait for one that is kept.
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
    // A proxy in between must not collect events before it passes them on.
    'x-accel-buffering': 'no',
  };
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(response.status);
  raw.socket?.setTimeout(silentMs, () => raw.destroy());
  // Whoever is gone needs no answer, and the stream has ended for them.
  await pipeline(body, raw).catch(() => undefined);
}
