import { readBounded } from '../read-bounded.ts';
import {
  MAX_NOTIFICATION_BYTES,
  type ReceiverOptions,
  type Reply,
  receiveNotification,
  TOO_LARGE,
} from './receive-notification.ts';

/**
 * A handler for everything that uses the fetch standard: Next.js route handlers, SvelteKit, Remix, Bun, Deno, workers.
 * The request's body must not have been read before.
 */
export function fetchHandler(options: ReceiverOptions): (request: Request) => Promise<Response> {
  return async (request) => toResponse(await receive(request, options));
}

/** A handler for Hono: `app.post('/notify', honoHandler({ … }))`. */
export function honoHandler(options: ReceiverOptions): (context: { req: { raw: Request } }) => Promise<Response> {
  const handle = fetchHandler(options);
  return ({ req }) => handle(req.raw);
}

async function receive(request: Request, options: ReceiverOptions): Promise<Reply> {
  if (request.bodyUsed) throw new TypeError('the body was read before: the notification handler needs its bytes');
  const body = await readBounded(request.body, MAX_NOTIFICATION_BYTES);
  return body ? receiveNotification({ headers: request.headers, body }, options) : TOO_LARGE;
}

function toResponse({ status, text }: Reply): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}
