import MiniSearch from 'minisearch';
import { failures } from '../request/errors.ts';
import { errorMeanings } from './error-meanings.ts';
import { type GuideAddresses, guidePath, guides, renderGuide } from './guides.ts';
import { openApiDocument } from './openapi/document.ts';
import type { Schema } from './openapi/schema.ts';

interface Entry {
  /** The address of the section. */
  id: string;
  title: string;
  page: string;
  /** The beginning of the section's text, shown with the result. */
  text: string;
  /** The text that is searched. */
  words: string;
  /** Frequent search words. */
  keywords?: string;
}

const options = {
  fields: ['title', 'page', 'words', 'keywords'],
  storeFields: ['title', 'page', 'text'],
  searchOptions: { boost: { keywords: 12, title: 4, page: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' as const },
};
const SHOWN_CHARACTERS = 140;

/** Search words for guides in which these words do not occur, or occur in many other pages too. */
const keywords: Partial<Record<(typeof guides)[number]['name'], string>> = {
  'first-order': 'tutorial',
  signing: 'signature',
  notifications: 'webhook callback',
  countries: 'banks',
  scenarios: 'simulate mock sandbox test',
  'repeats-and-refunds': 'idempotency idempotent idempotency-key retry refund reversal chargeback',
  'go-live': 'production environment sandbox base url host whitelist allowlist throttling',
};

/**
 * The search index of guides, error codes and operations, as a JavaScript module. So the pages' policy need not allow
 * connections.
 */
export function printSearchIndex(addresses: GuideAddresses): string {
  const index = JSON.stringify(loadSearch(addresses));
  return `export const options = ${JSON.stringify(options)};\nexport const index = ${JSON.stringify(index)};\n`;
}

/** The search itself, as the browser loads it. */
export function loadSearch(addresses: GuideAddresses): MiniSearch<Entry> {
  const search = new MiniSearch<Entry>(options);
  search.addAll([
    ...guides.flatMap(({ name, title }) => sectionsOf(name, title, addresses)),
    ...errorEntries(),
    ...operationEntries(),
  ]);
  return search;
}

function sectionsOf(name: (typeof guides)[number]['name'], page: string, addresses: GuideAddresses): Entry[] {
  const [intro = '', ...sections] = renderGuide(name, addresses).split(/(?=<h[23] id=)/);
  const path = guidePath(name);
  const says = guides.find((guide) => guide.name === name)?.says ?? '';
  return [
    // Error codes have entries of their own.
    {
      ...entry(path, page, 'Guide', name === 'errors' ? says : `${says} ${textOf(intro)}`),
      keywords: keywords[name] ?? '',
    },
    ...sections.map((html) => {
      const [, id = '', title = ''] = /^<h[23] id="([^"]+)">(.*?)<\/h/.exec(html) ?? [];
      return entry(`${path}#${id}`, textOf(title), page, textOf(html.replace(/^.*?<\/h[23]>/, '')));
    }),
  ];
}

function errorEntries(): Entry[] {
  return Object.entries(failures).map(([name, { code, http, msg }]) => {
    const meaning = errorMeanings[name as keyof typeof failures].replaceAll('`', '');
    return entry(`${guidePath('errors')}#${code}`, `${code} ${msg}`, `Error, HTTP ${http}`, meaning);
  });
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
}

/** Operations by the reference's addresses, with the names of their fields. */
function operationEntries(): Entry[] {
  const { paths, webhooks } = openApiDocument() as Record<
    'paths' | 'webhooks',
    Record<string, Record<string, Operation>>
  >;
  return [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, tags, summary, description = '' } = operation;
      const called = path.startsWith('/') ? `${method.toUpperCase()} ${path}` : 'Notification';
      const at = `/docs/reference#tag/${tags[0]}/operation/${operationId}`;
      const entryOfOperation = entry(at, summary, `Reference: ${called}`, description.replaceAll('`', ''));
      return {
        ...entryOfOperation,
        words: `${entryOfOperation.words} ${fieldNames(operation as unknown as Schema).join(' ')}`,
      };
    }),
  );
}

/** The names of all fields and parameters below a part of the document. */
function fieldNames(part: unknown, seen = new Set<string>()): string[] {
  const text = JSON.stringify(part);
  const { schemas = {} } = openApiDocument().components as { schemas?: Record<string, Schema> };
  const names = [...text.matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name);
  for (const [, name = ''] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
    if (seen.has(name) || name === 'Failure') continue;
    seen.add(name);
    const { properties = {} } = (schemas[name] ?? {}) as { properties?: Record<string, unknown> };
    names.push(...Object.keys(properties), ...fieldNames(schemas[name], seen));
  }
  return [...new Set(names)];
}

function entry(id: string, title: string, page: string, words: string): Entry {
  const text = words.length > SHOWN_CHARACTERS ? `${words.slice(0, SHOWN_CHARACTERS).replace(/\s\S*$/, '')} …` : words;
  return { id, title, page, text, words };
}

const textOf = (html: string): string =>
  html
    .split('<pre')
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf('</pre>') + '</pre>'.length)))
    .join(' ')
    .replaceAll(/<[^<>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
