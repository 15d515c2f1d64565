import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBounded } from '../read-bounded.ts';
import {
  MAX_NOTIFICATION_BYTES,
  type ReceiverOptions,
  type Reply,
  receiveNotification,
  TOO_LARGE,
} from './receive-notification.ts';

/** A Node request with properties that Express and other libraries add. */
type NodeRequest = IncomingMessage & { body?: unknown; rawBody?: unknown };

/**
 * A handler for Express, Connect and plain `node:http`: `app.post('/notify', expressHandler({ … }))`. It reads the body
 * itself, so register it before `express.json()`. Bytes that `express.raw({ type: 'application/json' })` has read are
 * accepted too. A body that was parsed already cannot be verified: the handler then passes an error to Express.
 */
export function expressHandler(
  options: ReceiverOptions,
): (request: NodeRequest, response: ServerResponse, next?: (error: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const body = await bytesOf(request);
      send(response, body ? await receiveNotification({ headers: request.headersDistinct, body }, options) : TOO_LARGE);
    } catch (error) {
      if (next) next(error);
      else {
        console.error(error);
        send(response, { status: 500, text: 'failed' });
      }
    }
  };
}

async function bytesOf(request: NodeRequest): Promise<Uint8Array | null> {
  for (const bytes of [request.rawBody, request.body]) if (bytes instanceof Uint8Array) return bytes;
  if (request.readableEnded || (typeof request.body === 'object' && request.body !== null))
    throw new TypeError(
      'the body was read before the notification handler: put the handler before express.json(), or use express.raw({ type: "application/json" }) for its route',
    );
  return readBounded(request, MAX_NOTIFICATION_BYTES);
}

function send(response: ServerResponse, { status, text }: Reply): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
}
