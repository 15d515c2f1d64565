import { readFileSync } from 'node:fs';
import { countryRules, transitionRules } from '@tidegate/domain';
import { failures } from '../errors.ts';
import { errorMeanings } from './error-meanings.ts';
import { countriesOf } from './openapi/request-schemas.ts';

const VECTORS = new URL('../../../signature/vectors/signing.json', import.meta.url);

interface SigningCase {
  name: string;
  method: string;
  body?: string;
  query?: string;
  signedContent?: string;
}

/** What the guides show of the service's own tables, as Markdown, by the name that a guide asks by. */
export const guideTables: Readonly<Record<string, () => string>> = {
  errors: () =>
    tableOf(
      ['Code', 'HTTP', 'Message', 'When'],
      Object.entries(failures).map(([name, { code, http, msg }]) => [
        ...[String(code), String(http), msg],
        errorMeanings[name as keyof typeof failures],
      ]),
    ),
  notifications: () =>
    tableOf(
      ['Order', 'Country', 'Statuses'],
      ordersOf().map(([kind, country]) => [
        ...[kind, country],
        (countryRules[country][kind]?.notifications.statuses ?? []).join(', '),
      ]),
    ),
  statuses: () =>
    ordersOf()
      .map(([kind, country]) => {
        const rules = transitionRules.filter((rule) => rule.kind === kind && rule.countries.includes(country));
        const moves = rules.map(({ from, trigger, to }) => [from.join(', '), trigger.replaceAll('_', ' '), to]);
        return `## ${kind}, ${country}\n\n${tableOf(['From', 'When', 'To'], moves)}`;
      })
      .join('\n\n'),
  'signing cases': () => {
    const { cases } = JSON.parse(readFileSync(VECTORS, 'utf8')) as { cases: SigningCase[] };
    return cases.flatMap((one) => (one.signedContent === undefined ? [] : [workedCase(one)])).join('\n\n');
  },
};

function workedCase({ name, method, body, query, signedContent }: SigningCase): string {
  const sent = method === 'GET' ? `?${query ?? ''}` : (body ?? '');
  return `### ${name}\n\n${method}:\n\n${block(sent)}\n\nis signed as\n\n${block(signedContent ?? '')}`;
}

/** Longer than any run of backticks that a case could hold. */
const block = (text: string): string => `\`\`\`\`\`\`\n${text}\n\`\`\`\`\`\``;

function ordersOf() {
  return (['payin', 'payout'] as const).flatMap((kind) => countriesOf(kind).map((country) => [kind, country] as const));
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
