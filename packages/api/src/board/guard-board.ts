import type { Log } from '@tidegate/domain';
import { hasRole, type OperatorContext } from '@tidegate/domain/operators';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answer } from '../answer-errors.ts';

/** Who may see the queues: they are the whole platform's. */
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
 * Whether a page of ours sent a request that changes something. Browsers say so themselves; the cookie's SameSite=Strict stands behind
 * it. What says nothing of where it comes from is no browser's page.
 */
export function isFromOurPage({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

export interface GuardOptions {
  /** Where queues are changed, too: for admins, and with a line in the log for each change. */
  manages: boolean;
  operatorOf(request: FastifyRequest): Promise<OperatorContext | null>;
  isReady(): boolean;
  log: Log;
}

/** What every request of a board passes first. Who is not signed in is led to the page where one does. */
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
