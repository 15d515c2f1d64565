import type { CheckoutView, Log } from '@tidegate/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalOf } from '../request/crashes.ts';
import { failures } from '../request/errors.ts';
import type { RestDomain } from '../request/rest-domain.ts';
import { addRoute } from '../request/routes.ts';
import { chooseLanguage } from './choose-language.ts';
import type { LiveStatus } from './live-status.ts';
import { checkoutPage, messagePage } from './page.ts';
import { contentSecurityPolicy } from './page-assets.ts';
import { isPayable, markOf, stateOf } from './page-state.ts';
import { isPayerAction, playPayer } from './play-payer.ts';
import { openQrImages, type QrImages } from './qr-images.ts';
import { webLink } from './web-link.ts';

export interface CheckoutParts {
  domain: Pick<RestDomain, 'findCheckout' | 'readQrImage'>;
  live: LiveStatus;
  log: Log;
  clock: () => number;
  /** The URL at which a person plays the payer; null in production. */
  sandboxUpstreamUrl: string | null;
}

const PATH = '/checkout/';
const ADDRESS = /^([A-Za-z0-9_-]{16,100})(?:\/(events|pay|qr))?$/;

const secretHeaders = {
  'cache-control': 'no-store',
  // The address is the payer's only secret, so it must not be sent on or indexed.
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
};

/**
 * The checkout page (decisions 5.9), its live status and the redirect to the bank. Errors are pages too. Every unknown
 * or malformed token gets the same one.
 */
export function addCheckoutRoutes(server: FastifyInstance, parts: CheckoutParts): void {
  const images = openQrImages((token) => parts.domain.readQrImage(token));
  addRoute(server, ['GET', 'HEAD'], `${PATH}*`, async (request, reply) => {
    const { '*': address } = request.params as { '*': string };
    const [, token = '', what = 'page'] = ADDRESS.exec(address) ?? [];
    return withView(parts, request, reply, token, async (view) => {
      if (what === 'events') return sendEvents(parts, request, reply, token, view);
      if (what === 'pay') return sendToBank(parts, reply, token, view);
      if (what === 'qr') return sendQrImage(parts, images, request, reply, token, view);
      return sendCheckout(parts, request, reply, token, view);
    });
  });
  const { sandboxUpstreamUrl } = parts;
  if (sandboxUpstreamUrl === null) return;
  addRoute(server, ['POST'], `${PATH}:token/sandbox/:action`, async (request, reply) => {
    const { token, action } = request.params as { token: string; action: string };
    if (!isPayerAction(action)) return sendNotFound(request, reply);
    return withView(parts, request, reply, token, async (view) => {
      await playPayer(sandboxUpstreamUrl, view, action);
      return reply.code(303).headers(secretHeaders).header('location', `../../${token}`).send();
    });
  });
}

/** Whether this URL belongs to these pages. */
export function isCheckout({ url }: FastifyRequest): boolean {
  return url.startsWith(PATH);
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = chooseLanguage(request.headers['accept-language'], null);
  return sendPage(request, reply, 404, messagePage(language, 'notFound', null));
}

async function withView(
  { domain, log }: CheckoutParts,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  answer: (view: CheckoutView) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    const view = ADDRESS.test(token) ? await domain.findCheckout(token) : null;
    return view ? await answer(view) : sendNotFound(request, reply);
  } catch (error) {
    const { http } = failures[refusalOf(error, request, log).failure];
    if (http === 503) reply.header('retry-after', '5');
    const language = chooseLanguage(request.headers['accept-language'], null);
    return sendPage(request, reply, http, messagePage(language, 'notAvailable', request.id));
  }
}

async function sendCheckout(
  { clock, sandboxUpstreamUrl }: CheckoutParts,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  view: CheckoutView,
): Promise<FastifyReply> {
  const language = chooseLanguage(request.headers['accept-language'], view.country);
  const isSandbox = sandboxUpstreamUrl !== null;
  const page = checkoutPage({ view, token, language, now: clock(), isSandbox });
  const environment = isSandbox ? 'sandbox' : 'production';
  return sendPage(request, reply, 200, page, { environment, hasImage: view.hasQrImage });
}

/**
 * The link to the bank is a redirect of this service. So neither the page nor a copy of it reveals the channel before
 * the payer follows the link.
 */
async function sendToBank(
  { clock }: CheckoutParts,
  reply: FastifyReply,
  token: string,
  view: CheckoutView,
): Promise<FastifyReply> {
  const link = isPayable(stateOf(view, clock())) ? webLink(view.payLink) : null;
  return reply
    .code(303)
    .headers(secretHeaders)
    .header('location', link ?? `../${token}`)
    .send();
}

/**
 * The image of the payin's QR code, as its channel sent it. An SVG can contain scripts. As an image in the page they do
 * not run, and if it is opened by itself, its content security policy forbids them.
 */
async function sendQrImage(
  { clock }: CheckoutParts,
  images: QrImages,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  view: CheckoutView,
): Promise<FastifyReply> {
  const image = view.hasQrImage && isPayable(stateOf(view, clock())) ? await images.get(token) : null;
  if (!image) return sendNotFound(request, reply);
  return reply
    .headers({
      ...secretHeaders,
      'content-type': image.contentType,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-request-id': request.id,
    })
    .send(Buffer.from(image.bytes));
}

/** A stream of page versions. A page that receives another version than its own reloads. */
async function sendEvents(
  { domain, live, clock }: CheckoutParts,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  view: CheckoutView,
): Promise<FastifyReply> {
  const headers = { ...secretHeaders, 'content-type': 'text/event-stream', 'x-request-id': request.id };
  if (request.method === 'HEAD') return reply.headers(headers).send();
  const { raw } = reply;
  const look = async () => {
    const found = await domain.findCheckout(token);
    return found && markOf(found, clock());
  };
  // Nothing is written before the stream is accepted, so that a refusal is still possible.
  for (const [name, value] of Object.entries(headers)) raw.setHeader(name, value);
  raw.setHeader('x-accel-buffering', 'no');
  raw.setHeader('connection', 'close');
  if (live.open(view, raw, look)) return reply.hijack();
  for (const name of raw.getHeaderNames()) raw.removeHeader(name);
  return reply.code(503).headers(secretHeaders).header('retry-after', '5').send();
}

interface PagePolicy {
  environment?: 'sandbox' | 'production';
  hasImage?: boolean;
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  http: number,
  page: string,
  { environment = 'production', hasImage = false }: PagePolicy = {},
): FastifyReply {
  return reply
    .code(http)
    .headers({
      ...secretHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(environment, hasImage),
      'x-frame-options': 'DENY',
      vary: 'accept-language',
      'x-request-id': request.id,
    })
    .send(page);
}
