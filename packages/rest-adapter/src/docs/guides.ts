import { readFileSync } from 'node:fs';
import { failures } from '../request/errors.ts';
import { guideTables } from './guide-tables.ts';
import { renderMarkdown } from './markdown.ts';

const FOLDER = new URL('../../../../docs/guides/', import.meta.url);

/** The guides, in the order of the navigation. Each is a file of docs/guides. */
export const guides = [
  { name: 'quickstart', title: 'Quickstart', says: 'A first signed request, in your language.' },
  { name: 'first-order', title: 'First order', says: 'A payin and a payout from request to verified notification.' },
  { name: 'signing', title: 'Signing', says: 'How the signature of a request is made, with code in five languages.' },
  { name: 'notifications', title: 'Notifications', says: 'What your receiver gets, checks and answers.' },
  { name: 'countries', title: 'Countries', says: 'Fields and bank codes that are special to a country.' },
  { name: 'statuses', title: 'Statuses', says: 'What an order can become, and when.' },
  { name: 'errors', title: 'Errors', says: 'Every code, when it is returned, and what to do about it.' },
  { name: 'repeats-and-refunds', title: 'Repeats and refunds', says: 'Idempotency, and how money goes back.' },
  { name: 'scenarios', title: 'Scenarios', says: 'Amounts that make the sandbox fail, wait or pay late.' },
  { name: 'go-live', title: 'Go live', says: 'Base URL, sandbox and production, IP allow list, rate limit.' },
] as const;

type GuideName = (typeof guides)[number]['name'];

/** The quickstart is the page at `/docs`. */
export const guidePath = (name: GuideName): string => (name === 'quickstart' ? '/docs' : `/docs/guides/${name}`);

/** The addresses of the running service. The guides' files contain those of a sandbox on its default ports. */
export interface GuideAddresses {
  /** Without a slash at the end. */
  service: string;
  /** The sandbox's demo receiver; null if there is none. Then the file's address stays as an example. */
  receiver: string | null;
}

const IN_THE_FILES = { service: 'http://127.0.0.1:8080', receiver: 'http://127.0.0.1:8091' };

const tables: Readonly<Record<string, () => string>> = { ...guideTables, guides: cards };

/**
 * A guide as HTML. A text between `<!-- table: NAME -->` and `<!-- end of table -->` is for readers of the repository.
 * Here it is replaced by a table of the service's own data.
 */
export function renderGuide(name: GuideName, addresses: GuideAddresses): string {
  const text = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')
    .replaceAll(IN_THE_FILES.service, addresses.service)
    .replaceAll(IN_THE_FILES.receiver, addresses.receiver ?? IN_THE_FILES.receiver)
    .split('<!-- end of table -->')
    .map((part, i, parts) => (i === parts.length - 1 ? part : withTable(name, part)))
    .join('');
  return linkCodes(withBaseUrl(renderMarkdown(text), addresses));
}

/** Every guide says below its introduction where the operations are. */
function withBaseUrl(html: string, { service }: GuideAddresses): string {
  const from = `The operator of the service gives you its address (<a href="${guidePath('go-live')}#base-url">Base URL</a>).`;
  const line = `<p class="base-url">Base URL here: <code>${service}/api/v1/merchant</code>. ${from}</p>`;
  return html.replace('</p>\n', `</p>\n${line}\n`);
}

/** A part of a guide that ends with a table. */
function withTable(name: GuideName, part: string): string {
  const start = part.lastIndexOf('<!-- table: ');
  const table = /^<!-- table: ([a-z ]+) -->/.exec(part.slice(start))?.[1] ?? '';
  const make = tables[table];
  if (!make) throw new Error(`docs/guides/${name}.md asks for a table that is not there: ${table}`);
  return part.slice(0, start) + make();
}

function cards(): string {
  const all = [
    ...guides.slice(1).map(({ name, title, says }) => ({ path: guidePath(name), title, says })),
    { path: '/docs/reference', title: 'Reference', says: 'Every operation, field and notification.' },
    { path: '/docs/doctor', title: 'Doctor', says: 'Paste a refused request and see what is wrong with it.' },
  ];
  const items = all.map(({ path, title, says }) => `<li><a href="${path}"><strong>${title}</strong> ${says}</a></li>`);
  return `<ul class="cards">\n${items.join('\n')}\n</ul>`;
}

const codes = new Set(Object.values(failures).map(({ code }) => String(code)));

/** Links error codes in sentences and tables to their meaning, but not in code, headings and links. */
function linkCodes(html: string): string {
  let within = 0;
  return html.replaceAll(
    /<(\/?)(pre|a|code|h[1-6]|button)\b[^<>]*>|<[^<>]+>|\b[45]\d{4}\b/g,
    (found, closing, element) => {
      if (element !== undefined) within += closing === '' ? 1 : -1;
      const isCode = within === 0 && codes.has(found);
      return isCode ? `<a href="${guidePath('errors')}#${found}">${found}</a>` : found;
    },
  );
}
