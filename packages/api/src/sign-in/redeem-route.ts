import type { Domain, Log } from '@tidegate/domain';
import { redeemInvitation } from '@tidegate/domain/operators';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from '../errors/errors.ts';
import { isAway } from '../graphql/report-errors.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

/**
 * `POST /redeem-invitation` with `Authorization: Bearer <code>`: returns the token to the person who made the code,
 * once. The code is in the header, so that no body of an unknown sender is read.
 */
export function addRedeemRoute(
  server: FastifyInstance,
  { domain, attempts, log }: { domain: Domain; attempts: SignInAttempts; log: Log },
): void {
  const redeem = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const code = /^Bearer +(\S{1,64})$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    // Only the header counts, so the body is not read.
    if (request.headers['content-length'] !== '0') reply.header('Connection', 'close');
    const attempt = await attempts.begin(request);
    let isRedeemed = false;
    try {
      const done = await redeemInvitation(domain, code);
      if (done.ok) {
        isRedeemed = true;
        const { expiresAt, ...rest } = done.value;
        return reply.send({ ...rest, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() });
      }
    } catch (error) {
      if (!isAway(error)) throw error;
      log.error({ requestId: request.id, err: error }, 'an invitation cannot be redeemed');
      const text = 'service unavailable';
      return reply
        .code(503)
        .header('Retry-After', '1')
        .send(errorBody('SERVICE_UNAVAILABLE', text, request.id));
    } finally {
      if (isRedeemed) attempt.succeeded();
      else attempt.failed();
    }
    const why = 'the code is wrong, or its invitation has ended: Authorization: Bearer <code>';
    return reply
      .code(401)
      .header('WWW-Authenticate', 'Bearer')
      .send(errorBody('UNAUTHENTICATED', why, request.id));
  };
  server.post('/redeem-invitation', { onRequest: redeem }, async () => undefined);
}
