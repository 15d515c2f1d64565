import type { Log } from '@tidegate/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalOf } from '../crashes.ts';
import { failures } from '../errors.ts';
import type { RestDomain } from '../rest-domain.ts';
import { addRoute } from '../routes.ts';
import { checkoutPage, contentSecurityPolicy, messagePage } from './page.ts';

const TOKEN = /^[A-Za-z0-9_-]{16,100}$/;

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'cache-control': 'no-store',
  // The address is the payer's only secret: it must not travel on, nor be found.
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
};

const PATH = '/checkout/';

/**
 * The page where a payer pays (decisions 5.9). Its errors are pages too, and whatever is no token of ours, in form or in
 * content, gets one and the same.
 */
export function addCheckoutRoute(server: FastifyInstance, domain: RestDomain, log: Log): void {
  addRoute(server, ['GET', 'HEAD'], `${PATH}*`, async (request, reply) => {
    const { '*': token } = request.params as { '*': string };
    try {
      const view = TOKEN.test(token) ? await domain.findCheckout(token) : null;
      return view ? sendPage(request, reply, 200, checkoutPage(view)) : sendNotFound(request, reply);
    } catch (error) {
      const { http } = failures[refusalOf(error, request, log).failure];
      if (http === 503) reply.header('retry-after', '5');
      const page = messagePage('This page is not available now', `Please try again in a moment. (${request.id})`);
      return sendPage(request, reply, http, page);
    }
  });
}

/** Whether this is the address of a page here, as far as it can be read. */
export function isCheckout({ url }: FastifyRequest): boolean {
  return url.startsWith(PATH);
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPage(request, reply, 404, messagePage('Payment not found', 'Please check the address of this page.'));
}

function sendPage(request: FastifyRequest, reply: FastifyReply, http: number, page: string): FastifyReply {
  return reply
    .code(http)
    .headers({ ...pageHeaders, 'x-request-id': request.id })
    .send(page);
}
