import type { DoctorInput } from '@tidegate/signature/doctor';
import { entryPath } from './browser-modules.ts';

interface Field {
  /** The doctor's input that `page.js` fills from this field. A request is parsed first. */
  id: 'request' | keyof DoctorInput;
  label: string;
  hint: string;
  rows: number;
}

const fields: readonly Field[] = [
  {
    id: 'request',
    label: 'The refused request',
    hint: 'Request line, headers, an empty line, and the body as it was sent. What <code>curl -v</code> prints will do, with the body added, which it does not print.',
    rows: 12,
  },
  {
    id: 'publicKey',
    label: 'Your public key',
    hint: 'The one that the service has. With it the signature is opened, which shows what was signed. Never paste a private key anywhere.',
    rows: 5,
  },
  {
    id: 'signedText',
    label: 'The text that you signed',
    hint: 'If you can print it. A line break at its end is left out.',
    rows: 4,
  },
  {
    id: 'serverContent',
    label: 'The text that the service derived',
    hint: 'In the sandbox: <code>data.signedContent</code> of the answer with code 40101.',
    rows: 4,
  },
];

/**
 * The doctor's page below the navigation. It has no form, because nothing is sent. The findings come first, so that
 * they are visible.
 */
export const doctorBody = `<h1>The doctor</h1>
<p>Says why a signature is refused: which step of <a href="/docs/guides/signing">signing</a> differs, and what to do about it. Give it what you
have; the request and your public key are best. All of it is done in this page, and nothing leaves it.</p>
<noscript><p class="note">This page needs JavaScript. On a command line <code>npx tidegate doctor</code> does the same.</p></noscript>
<h2 id="findings-title" tabindex="-1" hidden>What was found</h2>
<div id="findings" role="status"></div>
${fields.map(showField).join('\n')}
<p><button type="button" id="examine">Examine</button></p>
<script type="module" src="${entryPath}"></script>`;

function showField({ id, label, hint, rows }: Field): string {
  return `<label for="${id}">${label}</label>
<p class="hint" id="${id}-hint">${hint}</p>
<textarea id="${id}" rows="${rows}" spellcheck="false" autocomplete="off" aria-describedby="${id}-hint"></textarea>`;
}
