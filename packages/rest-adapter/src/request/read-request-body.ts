import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from './envelope.ts';
import { openUnfinishedBodies } from './unfinished-bodies.ts';

/** The largest body, in bytes (decisions 1, 41300). */
const BODY_LIMIT = 64 * 1024;

/** How many bytes of a body that is too large are read and discarded, so that its sender can read the answer. */
const DISCARD_LIMIT = 1024 * 1024;

const tooLarge = refuse('request_too_large', { detail: 'the body may have 64 KiB' });
const tooManyBodies = refuse('service_unavailable', { detail: 'too much is being received' });
const brokenOff = refuse('malformed_request', { detail: 'the body broke off' });

/** The unfinished bodies of this process. */
const ofAll = openUnfinishedBodies();

/**
 * Reads the raw bytes of a request's body, with or without Content-Length. The server's `requestTimeout` limits the
 * time.
 */
export function readRequestBody(request: IncomingMessage, bodies = ofAll): Promise<Uint8Array | Refusal> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) {
    discardRest(request);
    return Promise.resolve(tooLarge);
  }
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (result: Uint8Array | Refusal) => {
      request.off('data', take).off('end', end).off('close', breakOff);
      bodies.remove(giveUp);
      resolve(result);
    };
    const take = (chunk: Uint8Array) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= BODY_LIMIT) return bodies.add(giveUp, chunk.length);
      finish(tooLarge);
      discardRest(request);
    };
    const giveUp = () => {
      chunks.length = 0;
      finish(tooManyBodies);
      discardRest(request);
    };
    const end = () => finish(Buffer.concat(chunks, size));
    const breakOff = () => finish(brokenOff);
    // 'close' follows every error. Without a listener an error would end the process.
    request
      .on('data', take)
      .on('end', end)
      .on('close', breakOff)
      .on('error', () => {});
  });
}

function discardRest(request: IncomingMessage): void {
  let discarded = 0;
  request.on('error', () => {});
  request.on('data', (chunk: Uint8Array) => {
    discarded += chunk.length;
    if (discarded > DISCARD_LIMIT) request.destroy();
  });
}
