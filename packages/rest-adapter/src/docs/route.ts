import type { FastifyInstance } from 'fastify';
import { addRoute } from '../routes.ts';
import { readBrowserModules } from './doctor/browser-modules.ts';
import { doctorBody } from './doctor/page-body.ts';
import { type GuideAddresses, guides, renderGuide } from './guides.ts';
import { printOpenApi } from './openapi/document.ts';
import { type NavigationEntry, renderPage, styles } from './page.ts';
import { docsHeaders, referenceHeaders } from './page-headers.ts';
import { readRenderer, referenceBody, startScript } from './reference-page.ts';
import { readSnippet, snippetPath, snippets } from './snippets.ts';
import { makeStaticFile, type StaticFile, sendStaticFile } from './static-file.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

const reference: NavigationEntry = { path: '/docs', title: 'Reference' };
const doctor: NavigationEntry = { path: '/docs/doctor', title: 'Doctor' };
const guidePath = (name: string): string => `/docs/guides/${name}`;
const navigation: readonly NavigationEntry[] = [
  reference,
  ...guides.map(({ name, title }) => ({ path: guidePath(name), title })),
  doctor,
];

interface DocsFile {
  type: string;
  make: (addresses: GuideAddresses) => string;
  headers?: Readonly<Record<string, string>>;
}

/** What there is, by path. Each is made when it is first asked for, and kept. */
const files: Readonly<Record<string, DocsFile>> = {
  [reference.path]: {
    type: HTML,
    make: () => renderPage(reference.title, referenceBody, navigation, reference.path),
    headers: referenceHeaders,
  },
  [doctor.path]: { type: HTML, make: () => renderPage(doctor.title, doctorBody, navigation, doctor.path) },
  '/docs/openapi.json': { type: JSON_TYPE, make: printOpenApi },
  '/docs/redoc.js': { type: SCRIPT, make: readRenderer },
  '/docs/start.js': { type: SCRIPT, make: () => startScript },
  '/docs/docs.css': { type: CSS, make: () => styles },
  ...Object.fromEntries(snippets.map(({ file }) => [snippetPath(file), { type: TEXT, make: () => readSnippet(file) }])),
  ...Object.fromEntries(
    guides.map(({ name, title }) => {
      const make = (addresses: GuideAddresses) =>
        renderPage(title, renderGuide(name, addresses), navigation, guidePath(name));
      return [guidePath(name), { type: HTML, make }];
    }),
  ),
};

/** What pages load: at an address with its version, which may be kept for ever. */
const loaded = ['/docs/redoc.js', '/docs/start.js', '/docs/docs.css'];

/** What merchants' engineers read, open to everybody: the reference at `/docs`, the interface as OpenAPI at `/docs/openapi.json`. Without the envelope. */
export function addDocsRoutes(server: FastifyInstance, addresses: GuideAddresses): void {
  const kept = new Map<string, StaticFile>();
  const keep = (path: string, make: () => StaticFile): StaticFile => {
    const file = kept.get(path) ?? make();
    kept.set(path, file);
    return file;
  };
  const find = (path: string, { type, make, headers = docsHeaders }: DocsFile): StaticFile =>
    keep(path, () => {
      const text = make(addresses);
      return makeStaticFile(type, headers, type === HTML ? withVersions(text) : text);
    });
  const withVersions = (page: string): string =>
    loaded.reduce((text, path) => {
      const file = files[path];
      return file ? text.replaceAll(`"${path}"`, () => `"${path}?v=${find(path, file).version}"`) : text;
    }, page);
  for (const [path, file] of Object.entries(files))
    addRoute(server, ['GET', 'HEAD'], path, (request, reply) => sendStaticFile(request, reply, find(path, file)));
  let modules: ReadonlyMap<string, string> | undefined;
  addRoute(server, ['GET', 'HEAD'], `${doctor.path}/*`, (request, reply) => {
    modules ??= readBrowserModules();
    const path = request.url.replace(/\?.*$/, '');
    const text = modules.get(path);
    if (text === undefined) return reply.callNotFound();
    const file = keep(path, () => makeStaticFile(SCRIPT, docsHeaders, text));
    return sendStaticFile(request, reply, file);
  });
}
