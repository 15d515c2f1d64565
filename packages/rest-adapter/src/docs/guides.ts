import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { guideTables } from './guide-tables.ts';

const FOLDER = new URL('../../../../docs/guides/', import.meta.url);

/** The guides, in the order of the navigation. Each is a file of docs/guides. */
export const guides = [
  { name: 'first-order', title: 'First order' },
  { name: 'signing', title: 'Signing' },
  { name: 'notifications', title: 'Notifications' },
  { name: 'countries', title: 'Countries' },
  { name: 'statuses', title: 'Statuses' },
  { name: 'errors', title: 'Errors' },
  { name: 'scenarios', title: 'Scenarios' },
] as const;

/** Where the readers of a running service find it; the guides' files name a sandbox on its usual ports. */
export interface GuideAddresses {
  /** Without a slash at the end. */
  service: string;
  /** The sandbox's demo receiver; null where there is none, and then the file's address stays as an example. */
  receiver: string | null;
}

const IN_THE_FILES = { service: 'http://127.0.0.1:8080', receiver: 'http://127.0.0.1:8091' };

/** A guide as HTML. `{{name}}` in its text stands for a table that is made of what the service itself runs by. */
export function renderGuide(name: (typeof guides)[number]['name'], addresses: GuideAddresses): string {
  const text = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')
    .replaceAll(IN_THE_FILES.service, addresses.service)
    .replaceAll(IN_THE_FILES.receiver, addresses.receiver ?? IN_THE_FILES.receiver)
    .replaceAll(/\{\{([a-z ]+)\}\}/g, (_, table) => {
      const make = guideTables[table];
      if (!make) throw new Error(`docs/guides/${name}.md asks for a table that is not there: ${table}`);
      return make();
    });
  const html = new Marked().parse(text, { async: false });
  // What is wider than the page is scrolled, by the keyboard too.
  const scrolled = html
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
  return `<main class="text">${scrolled}</main>`;
}
