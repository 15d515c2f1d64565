import { makeStaticFile, type StaticFile, sendStaticFile } from '@tidegate/process';
import type { FastifyInstance } from 'fastify';
import { docsHeaders, referenceHeaders } from '../request/page-headers.ts';
import { addRoute } from '../request/routes.ts';
import { readBrowserFile, readSearchLibrary } from './browser-files.ts';
import { readBrowserModules } from './doctor/browser-modules.ts';
import { doctorBody } from './doctor/page-body.ts';
import { type GuideAddresses, guidePath, guides, renderGuide } from './guides.ts';
import { printOpenApi } from './openapi/document.ts';
import { renderPage } from './page.ts';
import { readRenderer, referenceBody } from './reference-page.ts';
import { printSearchIndex } from './search-index.ts';
import { readSnippet, snippetPath, snippets } from './snippets.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

const DOCTOR = '/docs/doctor';
const REFERENCE = '/docs/reference';

interface DocsFile {
  type: string;
  make: (addresses: GuideAddresses) => string;
  headers?: Readonly<Record<string, string>>;
}

const scripts = ['theme.js', 'docs.js', 'copy.js', 'tabs.js', 'search.js', 'reference.js'];

/** Files that pages load, at an address with their version, so that they can be cached forever. */
const loadedFiles: Readonly<Record<string, DocsFile>> = {
  '/docs/docs.css': { type: CSS, make: () => readBrowserFile('docs.css') },
  '/docs/redoc.js': { type: SCRIPT, make: readRenderer },
  '/docs/minisearch.js': { type: SCRIPT, make: readSearchLibrary },
  '/docs/search-index.js': { type: SCRIPT, make: printSearchIndex },
  ...Object.fromEntries(scripts.map((name) => [`/docs/${name}`, { type: SCRIPT, make: () => readBrowserFile(name) }])),
};

/** The files by path. Each is made at its first request, and kept. */
const files: Readonly<Record<string, DocsFile>> = {
  ...loadedFiles,
  [REFERENCE]: {
    type: HTML,
    make: () => renderPage({ title: 'Reference', path: REFERENCE, body: referenceBody, layout: 'wide' }),
    headers: referenceHeaders,
  },
  [DOCTOR]: { type: HTML, make: () => renderPage({ title: 'Doctor', path: DOCTOR, body: doctorBody }) },
  '/docs/openapi.json': { type: JSON_TYPE, make: printOpenApi },
  ...Object.fromEntries(snippets.map(({ file }) => [snippetPath(file), { type: TEXT, make: () => readSnippet(file) }])),
  ...Object.fromEntries(
    guides.map(({ name, title }) => {
      const path = guidePath(name);
      const make = (addresses: GuideAddresses) => renderPage({ title, path, body: renderGuide(name, addresses) });
      return [path, { type: HTML, make }];
    }),
  ),
};

/** Pages and our own scripts contain addresses of files, which get a version. Libraries contain none. */
const namesFiles = ({ type, make }: DocsFile): boolean =>
  type === HTML || (type === SCRIPT && ![readRenderer, readSearchLibrary, printSearchIndex].includes(make));

/**
 * The public documentation: the guides at `/docs`, the OpenAPI document at `/docs/openapi.json`. Without the envelope.
 */
export function addDocsRoutes(server: FastifyInstance, addresses: GuideAddresses): void {
  const kept = new Map<string, StaticFile>();
  const keep = (path: string, make: () => StaticFile): StaticFile => {
    const file = kept.get(path) ?? make();
    kept.set(path, file);
    return file;
  };
  const find = (path: string, file: DocsFile): StaticFile =>
    keep(path, () => {
      const { type, make, headers = docsHeaders } = file;
      const text = make(addresses);
      return makeStaticFile(type, headers, namesFiles(file) ? withVersions(text) : text);
    });
  const withVersions = (text: string): string =>
    text.replaceAll(/(["'])(\/docs\/[\w.-]+)\1/g, (name, quote, path) => {
      const file = loadedFiles[path];
      return file ? `${quote}${path}?v=${find(path, file).version}${quote}` : name;
    });
  for (const [path, file] of Object.entries(files))
    addRoute(server, ['GET', 'HEAD'], path, (request, reply) => sendStaticFile(request, reply, find(path, file)));
  // People type it with a slash at its end.
  addRoute(server, ['GET', 'HEAD'], '/docs/', (_request, reply) => reply.redirect('/docs', 308));
  let modules: ReadonlyMap<string, string> | undefined;
  addRoute(server, ['GET', 'HEAD'], `${DOCTOR}/*`, (request, reply) => {
    modules ??= readBrowserModules();
    const path = request.url.split('?', 1)[0] ?? '';
    const text = modules.get(path);
    if (text === undefined) return reply.callNotFound();
    const file = keep(path, () => makeStaticFile(SCRIPT, docsHeaders, text));
    return sendStaticFile(request, reply, file);
  });
}
