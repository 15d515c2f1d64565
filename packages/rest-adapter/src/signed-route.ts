import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { authenticate, type SeenMerchant } from './request/authenticate.ts';
import { type Answer, sendAnswer } from './request/envelope.ts';
import type { Gate } from './request/gate.ts';
import { readRequestBody } from './request/read-request-body.ts';
import type { RestDomain } from './request/rest-domain.ts';
import { addRoute } from './request/routes.ts';
import type { Endpoint } from './v1/endpoint.ts';

const PREFIX = '/api/v1/merchant';

export interface SignedRouteParts extends Gate {
  domain: RestDomain;
}

/** Serves a signed operation. The signature of a GET covers its query only. A body is neither read nor refused. */
export function addSignedRoute(server: FastifyInstance, parts: SignedRouteParts, endpoint: Endpoint): void {
  addRoute(server, [endpoint.method], `${PREFIX}${endpoint.path}`, async (request, reply) => {
    const seen: SeenMerchant = {
      claimed: (merchantNo) => {
        if (request.trace) request.trace.merchantNo = merchantNo;
      },
      verified: ({ country }) => {
        if (request.trace) request.trace.country = country;
      },
    };
    return sendAnswer(request, reply, await answer(parts, endpoint, request.raw, seen));
  });
}

async function answer(
  parts: SignedRouteParts,
  endpoint: Endpoint,
  request: IncomingMessage,
  seen: SeenMerchant,
): Promise<Answer> {
  const content = endpoint.method === 'GET' ? queryOf(request) : await readRequestBody(request);
  if (typeof content !== 'string' && 'failure' in content) return content;
  const call = await authenticate(parts, request, content, seen);
  return call.ok ? endpoint.answer(parts.domain, call) : call;
}

/** The raw query string, without the `?`. */
function queryOf({ url = '' }: IncomingMessage): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}
