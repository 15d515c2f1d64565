import type { FastifyRequest } from 'fastify';

/** The raw bytes of a request's body. */
export function rawBody(request: FastifyRequest): Uint8Array {
  return Buffer.isBuffer(request.body) ? request.body : new Uint8Array();
}

/** The body as JSON; undefined if it is none. */
export function readJson(request: FastifyRequest): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody(request)));
  } catch {
    return undefined;
  }
}
