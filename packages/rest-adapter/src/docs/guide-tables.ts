import { readFileSync } from 'node:fs';
import { transitionRules } from '@tidegate/domain';
import { readBody } from '@tidegate/signature';
import { type CreateRule, type ReportRule, type ScenarioRow, scenarioTable } from '@tidegate/upstream/scenarios';
import { failures } from '../request/errors.ts';
import { errorActions, errorMeanings } from './error-meanings.ts';
import { offers } from './openapi/request-schemas.ts';
import { readSnippet, snippets } from './snippets.ts';

const VECTORS = new URL('../../../signature/vectors/signing.json', import.meta.url);

interface SigningCase {
  name: string;
  method: string;
  body?: string;
  query?: string;
  timestamp: string;
  nonce: string;
  signedContent?: string;
  sign?: string;
}

/** Markdown of the service's own tables, by the names that guides use. */
export const guideTables: Readonly<Record<string, () => string>> = {
  errors: () =>
    tableOf(
      ['Code', 'HTTP', 'Message, and when', 'What to do'],
      Object.entries(failures).map(([name, { code, http, msg }]) => [
        `<a id="${code}" href="#${code}">${code}</a>`,
        String(http),
        `**${msg}**<br>${errorMeanings[name as keyof typeof failures]}`,
        errorActions[name as keyof typeof failures],
      ]),
    ),
  notifications: () =>
    tableOf(
      ['Order', 'Country', 'Statuses'],
      offers.map(({ kind, country, rules }) => [kind, country, rules.notifications.statuses.join(', ')]),
    ),
  'notification example': () => {
    const { headers, body, signedContent } = notificationExample();
    const sent = ['POST /notify HTTP/1.1', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
    return `${block(`${sent.join('\n')}\n\n${body}`)}\n\nThe text that is signed:\n\n${block(signedContent)}`;
  },
  statuses: () =>
    offers
      .map(({ kind, country }) => {
        const rules = transitionRules.filter((rule) => rule.kind === kind && rule.country === country);
        const moves = rules.map(({ from, trigger, to }) => [from.join(', '), trigger.replaceAll('_', ' '), to]);
        return `## ${kind}, ${country}\n\n${tableOf(['From', 'When', 'To'], moves)}`;
      })
      .join('\n\n'),
  scenarios: () =>
    tableOf(
      ['Cents', 'Orders', 'What happens'],
      scenarioTable.map((row) => [
        `.${row.cents}`,
        [row.kind ?? 'payin, payout', row.country].filter(Boolean).join(', '),
        happenings(row),
      ]),
    ),
  'signing values': () =>
    tableOf(
      ['In the body', 'In the signed text', 'Rule'],
      signedValues.map(([body, rule]) => [code(body), signedPairs(body), rule]),
    ),
  'signing cases': () => {
    const { cases } = readVectors();
    return cases.flatMap((one) => (one.signedContent === undefined ? [] : [workedCase(one)])).join('\n\n');
  },
  'signing key': () => block(readVectors().publicKeyPem.trim()),
  'signing snippets': () =>
    snippets
      .map(({ file, language, highlight }) => {
        const [tab, text] = [language.replaceAll(' ', '_'), readSnippet(file).trim()];
        return block(text, `${highlight} tab=${tab} file=${file}`);
      })
      .join('\n\n'),
};

/** The notification of a completed payin as a merchant receives it. Only the signature is shortened. */
function notificationExample(): { headers: Record<string, string>; body: string; signedContent: string } {
  const completedAt = 1_790_000_000;
  const order = { orderNo: 'PI1M7Y9XBYVV5FV69QPWNHTKZ5X', merchantOrderNo: 'IN-1', status: 'completed' };
  const amounts = { amount: '100.00', feeAmount: '2.50', netAmount: '97.50' };
  const body = JSON.stringify({ orderType: 'payin', ...order, ...amounts, completedAt });
  const [timestamp, nonce] = [String(completedAt + 1), '3f2b0a52-5a0e-4a0f-9c55-1f6f4f0d7c11'];
  return {
    headers: {
      'Content-Type': 'application/json',
      'X-Merchant-No': 'IN10001',
      'X-Timestamp': timestamp,
      'X-Nonce': nonce,
      'X-Key-Id': 'IN10001.q0mJ2c8V5sWb1xYz7Ad3Ge',
      'X-Sign': 'kZ0v…==',
    },
    body,
    signedContent: readBody(Buffer.from(body)).content(timestamp, nonce),
  };
}

/** A body with each kind of value, and the rule for it (decisions 2.2). */
const signedValues: readonly (readonly [body: string, rule: string])[] = [
  ['{"a":true}', 'in lower case, never `True`, `1` or `yes`'],
  ['{"a":false}', 'in lower case. It is not left out'],
  ['{"a":null}', 'left out, never the word null'],
  ['{"a":""}', 'left out'],
  ['{"a":{}}', 'left out, also with nothing but empty values in it'],
  ['{"a":[]}', 'left out'],
  ['{"a":0}', 'not left out'],
  ['{"a":100.50}', 'exactly as in the JSON text, with its zeros'],
  ['{"a":1e7}', 'exactly as in the JSON text'],
  ['{"a":12345678901234567890}', 'all its digits'],
  ['{"a":"100.50"}', 'a text as it is, without quotes'],
  ['{"a":" é <b> "}', 'with its blanks, not escaped for HTML, in UTF-8'],
  ['{"a":"\\u00e9 \\"x\\" \\/"}', 'the text that the JSON escapes mean'],
  ['{"a":"50% & more = x"}', '`%`, `&` and `=` are escaped, nothing else'],
  ['{"m":{"b":"1","a":true}}', 'names joined with a dot, sorted by the whole path'],
  ['{"m":{"n":{"x":1}}}', 'every level has its name'],
  ['{"l":["b","a"]}', 'an index for each element, in the order of the body'],
  ['{"l":[null,{"x":1}]}', 'the index counts elements that are left out too'],
];

/** The pairs of a body, one below the other, without timestamp and nonce. */
function signedPairs(body: string): string {
  const pairs = readBody(Buffer.from(body)).content('', '').split('&');
  const own = pairs.filter((pair) => pair !== 'timestamp=' && pair !== 'nonce=');
  return own.length === 0 ? 'nothing' : own.map(code).join('<br>');
}

const code = (text: string): string => `\`${text}\``;

function readVectors(): { publicKeyPem: string; cases: SigningCase[] } {
  return JSON.parse(readFileSync(VECTORS, 'utf8'));
}

const createWords: Record<CreateRule, string> = {
  works: '',
  refused: 'the create is refused',
  lost_before_acceptance: 'the channel never answers, and does not accept the order',
  first_lost_before_acceptance:
    'the channel never answers the first submit, and does not accept the order; a repeat works',
  lost_after_acceptance: 'the channel accepts the order, but its reply is lost',
  two_server_errors: 'the create is answered with HTTP 500 twice, then works',
};

const reportWords: Record<ReportRule, string> = {
  callback: '',
  polling_only: 'reported only to polls',
  thrice_then_older: 'three callbacks, and an older "pending" after them',
};

/** The events of a scenario row. Without steps, the order is paid after a second. */
function happenings({ create = 'works', steps, report = 'callback' }: ScenarioRow): string {
  const stepTexts = steps?.map(({ afterSeconds, becomes, pays }) => {
    const part = pays === undefined || pays === 'whole' ? '' : ` (${pays.replace('_', ' ')})`;
    return `${becomes.replace('_', ' ')}${part} after ${afterSeconds} s`;
  });
  const pending = create === 'works' ? ['stays pending'] : [];
  const moves = stepTexts === undefined ? ['paid after 1 s'] : stepTexts.length === 0 ? pending : stepTexts;
  return [createWords[create], ...moves, reportWords[report]].filter((words) => words !== '').join('; ');
}

function workedCase({ name, method, body, query, timestamp, nonce, signedContent, sign }: SigningCase): string {
  const sent = method === 'GET' ? `?${query ?? ''}` : (body ?? '');
  const headers = `X-Timestamp: ${timestamp}\nX-Nonce: ${nonce}\nX-Sign: ${sign ?? ''}`;
  return `### ${name}\n\n${method}:\n\n${block(sent)}\n\nis signed as\n\n${block(signedContent ?? '')}\n\nand sent with\n\n${block(headers)}`;
}

/** More backticks than any case contains in a row. */
const block = (text: string, language = ''): string => `\`\`\`\`\`\`${language}\n${text}\n\`\`\`\`\`\``;

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
