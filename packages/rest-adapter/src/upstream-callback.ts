import { type Attempts, clientAddress } from '@tidegate/process';
import type { FastifyInstance } from 'fastify';
import { type Refusal, refuse, sendAnswer } from './request/envelope.ts';
import { readRequestBody } from './request/read-request-body.ts';
import type { CallbackOutcome, RestDomain } from './request/rest-domain.ts';
import { addRoute } from './request/routes.ts';

const refusals: Record<Exclude<CallbackOutcome['outcome'], 'taken'>, Refusal> = {
  not_now: refuse('service_unavailable'),
  unauthentic: refuse('signature_invalid'),
  malformed: refuse('malformed_request'),
  unknown_channel: refuse('not_found'),
};

export interface CallbackParts {
  domain: Pick<RestDomain, 'takeCallback'>;
  attempts: Attempts;
  trustedProxies: number;
}

/** The outcomes of a callback that no channel of ours has sent. */
const unproven = new Set<CallbackOutcome['outcome']>(['unauthentic', 'malformed', 'unknown_channel']);
/** Most callbacks are shorter. They never wait. */
const LIGHT_BYTES = 16 * 1024;

/**
 * Receives channels' callbacks. Success is answered only if nothing is left to be recorded: the result is in the
 * ledger, or the callback changes nothing. The answer is then the reply of the channel's adapter, or `OK` if it has
 * none. After a refusal an upstream repeats the callback, which is harmless. The adapter verifies the raw bytes, so the
 * media type does not matter.
 */
export function addUpstreamCallbackRoute(
  server: FastifyInstance,
  { domain, attempts, trustedProxies }: CallbackParts,
): void {
  addRoute(server, ['POST'], '/upstream/:channel/callback', async (request, reply) => {
    const body = await readRequestBody(request.raw);
    if ('failure' in body) return sendAnswer(request, reply, body);
    const { channel } = request.params as { channel: string };
    const isLight = body.length <= LIGHT_BYTES;
    const attempt = await attempts.begin(clientAddress(request.raw, trustedProxies), { isLight });
    const outcome = await domain.takeCallback(channel, request.headers, body);
    if (unproven.has(outcome.outcome)) attempt.failed();
    else attempt.succeeded();
    if (outcome.outcome !== 'taken') return sendAnswer(request, reply, refusals[outcome.outcome]);
    const { contentType, body: answer } = outcome.reply ?? { contentType: 'text/plain; charset=utf-8', body: 'OK' };
    return reply.header('x-request-id', request.id).type(contentType).send(answer);
  });
}
