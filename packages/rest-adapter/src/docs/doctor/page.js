// Examines what is in the fields, and shows what the doctor finds. Nothing is sent anywhere: the page's policy forbids it too.
import { diagnose, readHttpRequest } from '@tidegate/signature/doctor';

const textIn = (id) => document.querySelector(`#${id}`).value;
const findings = document.querySelector('#findings');
const title = document.querySelector('#findings-title');

document.querySelector('#examine').addEventListener('click', async () => {
  const found = await examine().catch((error) => [{ step: 'input', severity: 'wrong', what: error.message }]);
  findings.replaceChildren(...found.map(shown));
  title.hidden = false;
  title.focus({ preventScroll: true });
  title.scrollIntoView({ block: 'start' });
});

async function examine() {
  if (crypto.subtle === undefined)
    throw new Error(
      'browsers make digests on https:// and on this machine (http://localhost) only: open the page there',
    );
  if (['request', 'publicKey', 'signedText', 'serverContent'].some((id) => /PRIVATE KEY-----/.test(textIn(id))))
    throw new Error('that is a private key. It has not left this page, but belongs in no page: give the public key');
  const request = textIn('request');
  const signedText = textIn('signedText').replace(/\n$/, '');
  if (request.trim() === '' && signedText === '')
    throw new Error('give the refused request, or the text that you signed');
  const { headers, method, body, query, signedContent } = readHttpRequest(
    new TextEncoder().encode(request.trimStart()),
  );
  if (method === 'POST' && body === undefined)
    throw new Error('the body of the POST is missing: add it below the headers, after an empty line');
  return diagnose({
    headers: request.trim() === '' ? undefined : headers,
    ...(body === undefined ? { query } : { body }),
    signedText: signedText || undefined,
    serverContent: textIn('serverContent').replace(/\n$/, '') || signedContent,
    publicKey: textIn('publicKey').trim() || undefined,
    now: Date.now(),
  });
}

const marks = { wrong: '✗', suspect: '?', right: '✓', hint: '·' };

function shown({ step, severity, what, fix, expected, found }) {
  const finding = element('section', `finding ${severity}`);
  finding.append(element('h3', '', `${marks[severity]} ${step}: ${what}`));
  if (fix !== undefined) finding.append(element('p', '', `Do: ${fix}`));
  for (const [label, text] of [
    ['Should be', expected],
    ['Is', found],
  ])
    if (text !== undefined) finding.append(element('p', 'hint', label), element('pre', '', text));
  return finding;
}

function element(name, className, text = '') {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.textContent = text;
  return made;
}
