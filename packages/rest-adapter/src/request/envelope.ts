import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, failures } from './errors.ts';

/** The answer to a merchant's request. `orderNo` is for the log. */
export type Answer = { ok: true; data: object; orderNo?: string } | Refusal;

export interface Refusal {
  ok: false;
  failure: Failure;
  /** Added to the message's fixed text after `: `. Shown to the caller. */
  detail?: string;
  /** Only data that decisions 2.4 allow; `null` otherwise. */
  data?: object;
  /** Default: 1 for failures that have a Retry-After header. */
  retryAfterSeconds?: number;
  /** The methods that the path supports. */
  allow?: string;
  orderNo?: string;
}

export function refuse(failure: Failure, about: Omit<Refusal, 'ok' | 'failure'> = {}): Refusal {
  return { ok: false, failure, ...about };
}

export interface RenderedAnswer {
  code: number;
  http: number;
  headers: Record<string, string>;
  body: string;
}

/** The envelope `{ code, msg, data }` and what belongs to it in HTTP (decisions 1). */
export function renderAnswer(answer: Answer, requestId: string): RenderedAnswer {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
  if (answer.ok) {
    return { code: 0, http: 200, headers, body: JSON.stringify({ code: 0, msg: 'success', data: answer.data }) };
  }
  const { code, http, msg } = failures[answer.failure];
  const waits = http === 429 || http === 503;
  return {
    code,
    http,
    headers: {
      ...headers,
      ...(waits && { 'retry-after': String(answer.retryAfterSeconds ?? 1) }),
      ...(answer.allow !== undefined && { allow: answer.allow }),
    },
    body: JSON.stringify({ code, msg: answer.detail ? `${msg}: ${answer.detail}` : msg, data: answer.data ?? null }),
  };
}

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const { code, http, headers, body } = renderAnswer(answer, request.id);
  if (request.trace) {
    request.trace.code = code;
    if (answer.orderNo !== undefined) request.trace.orderNo = answer.orderNo;
  }
  return reply.code(http).headers(headers).send(body);
}
