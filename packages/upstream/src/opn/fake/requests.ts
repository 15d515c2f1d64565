import type { FastifyReply, FastifyRequest } from 'fastify';

/** An error object of Opn. */
export class OpnError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function sendError(reply: FastifyReply, { status, code, message }: OpnError): FastifyReply {
  const location = `https://www.omise.co/api-errors#${code.replaceAll('_', '-')}`;
  return reply.code(status).send({ object: 'error', location, code, message });
}

/** Checks HTTP Basic authentication: the key is the user name, the password is empty. */
export function authenticate(request: FastifyRequest, key: string): void {
  const expected = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  if (request.headers.authorization === expected) return;
  throw new OpnError(401, 'authentication_failure', 'authentication failed');
}

/** The JSON object in a request. */
export function readBody(request: FastifyRequest): Record<string, unknown> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw new OpnError(400, 'bad_request', 'the content type must be application/json');
  }
  try {
    const read: unknown = JSON.parse(request.body instanceof Buffer ? request.body.toString('utf8') : '');
    if (isObject(read)) return read;
  } catch {}
  throw new OpnError(400, 'bad_request', 'the body is not a JSON object');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A whole number in a query string, 0 to `most`. Throws OpnError 400. */
export function numberIn(query: unknown, name: string, byDefault: number, most: number): number {
  const text = isObject(query) ? query[name] : undefined;
  if (text === undefined) return byDefault;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > most) {
    throw new OpnError(400, 'bad_request', `${name} is invalid`);
  }
  return number;
}
