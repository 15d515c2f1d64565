import type { Log } from '@tidegate/domain';
import { hasRole, type OperatorContext } from '@tidegate/domain/operators';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answer } from '../graphql/answer-errors.ts';

/** Whether an operator may see the queues. They belong to the whole platform. */
export function mayWatch(operator: OperatorContext | null): operator is OperatorContext {
  return operator !== null && operator.countries === null && operator.merchantIds === null;
}

export function mayManage(operator: OperatorContext): boolean {
  return hasRole(operator, ['admin']);
}

function isReadOnly({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Whether a page of ours sent a request that changes something. Browsers say so in a header, and the cookie's
 * SameSite=Strict protects as well. A request without that header does not come from a browser's page.
 */
export function isFromOurPage({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

export interface GuardOptions {
  /** Whether queues can be changed: only by admins, and each change is logged. */
  manages: boolean;
  operatorOf(request: FastifyRequest): Promise<OperatorContext | null>;
  isReady(): boolean;
  log: Log;
}

/** The checks of every request to a board. A caller who is not signed in is redirected to the sign-in page. */
export function guardBoard({ manages, operatorOf, isReady, log }: GuardOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const operator = await operatorOf(request);
    if (!mayWatch(operator)) {
      const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
      return isPage ? reply.redirect('/board/sign-in', 303) : answer(reply, request, 401);
    }
    if (manages && !mayManage(operator)) return answer(reply, request, 403);
    if (!isReadOnly(request)) {
      if (!manages || !isFromOurPage(request)) return answer(reply, request, 403);
      log.info(
        {
          requestId: request.id,
          operatorId: operator.operatorId,
          method: request.method,
          path: request.url.slice(0, 512),
        },
        'an operator changes queues on the board',
      );
    }
    if (!isReady()) return answer(reply.header('Retry-After', '1'), request, 503);
    return undefined;
  };
}
