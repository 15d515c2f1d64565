import type { FastifyReply, FastifyRequest } from 'fastify';
import { failures } from './errors.ts';
import { docsHeaders } from './page-headers.ts';

/** What programs call: they always get the envelope, whatever their HTTP library accepts. */
const PROGRAMS = /^\/(?:api|upstream|\.well-known)(?:[/?]|$)/i;

/** Whether a browser asks for an address that programs do not call. */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !PROGRAMS.test(url) && (headers.accept ?? '').includes('text/html');
}

/** Shows a person the way to the documentation. `/` is the address of the service, so it is found. */
export function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isRoot = /^\/(?:\?|$)/.test(request.url);
  const http = isRoot ? 200 : failures.not_found.http;
  if (request.trace) request.trace.code = isRoot ? http : failures.not_found.code;
  return reply
    .code(http)
    .headers({ ...docsHeaders, 'cache-control': 'no-store', 'x-request-id': request.id })
    .type('text/html; charset=utf-8')
    .send(isRoot ? rootPage : notFoundPage);
}

const page = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tidegate</title>
<link rel="icon" href="data:,">
<script src="/docs/theme.js"></script>
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body class="text">
<main class="text alone">
<h1>${title}</h1>
<p>${text}</p>
<ul class="cards">
<li><a href="/docs"><strong>Documentation</strong> A first signed request, guides, error codes.</a></li>
<li><a href="/docs/reference"><strong>Reference</strong> Every operation, field and notification.</a></li>
</ul>
</main>
</body>
</html>
`;

const rootPage = page(
  'Tidegate',
  "This is the merchants' interface of a payment service. Programs send signed requests to <code>/api/v1/merchant</code>.",
);
const notFoundPage = page('There is no page here', 'Check the address. The documentation may help:');
