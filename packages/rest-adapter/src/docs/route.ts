import type { FastifyInstance } from 'fastify';
import { addRoute } from '../routes.ts';
import { guides, renderGuide } from './guides.ts';
import { printOpenApi } from './openapi/document.ts';
import { type NavigationEntry, renderPage, styles } from './page.ts';
import { docsHeaders } from './page-headers.ts';
import { readRenderer, referenceBody, startScript } from './reference-page.ts';
import { readSnippet, snippetPath, snippets } from './snippets.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

const reference: NavigationEntry = { path: '/docs', title: 'Reference' };
const guidePath = (name: string): string => `/docs/guides/${name}`;
const navigation: readonly NavigationEntry[] = [
  reference,
  ...guides.map(({ name, title }) => ({ path: guidePath(name), title })),
];

/** What there is, by path. Each is made when it is first asked for, and kept. */
const files: Readonly<Record<string, { type: string; make: () => string }>> = {
  '/docs': { type: HTML, make: () => renderPage(reference.title, referenceBody, navigation, '/docs') },
  '/docs/openapi.json': { type: JSON_TYPE, make: printOpenApi },
  '/docs/redoc.js': { type: SCRIPT, make: readRenderer },
  '/docs/start.js': { type: SCRIPT, make: () => startScript },
  '/docs/docs.css': { type: CSS, make: () => styles },
  ...Object.fromEntries(snippets.map(({ file }) => [snippetPath(file), { type: TEXT, make: () => readSnippet(file) }])),
  ...Object.fromEntries(
    guides.map(({ name, title }) => {
      const make = () => renderPage(title, renderGuide(name), navigation, guidePath(name));
      return [guidePath(name), { type: HTML, make }];
    }),
  ),
};

/** What merchants' engineers read, open to everybody: the reference at `/docs`, the interface as OpenAPI at `/docs/openapi.json`. Without the envelope. */
export function addDocsRoutes(server: FastifyInstance): void {
  for (const [path, { type, make }] of Object.entries(files)) {
    let made: string | undefined;
    addRoute(server, ['GET', 'HEAD'], path, (request, reply) => {
      made ??= make();
      return reply
        .headers({ ...docsHeaders, 'x-request-id': request.id })
        .type(type)
        .send(made);
    });
  }
}
