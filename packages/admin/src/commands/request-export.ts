import { exportFormats, requestExport } from '@tidegate/domain/operators';
import { InvalidArgumentError } from 'commander';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument, matching, optional } from '../line/fields.ts';
import { channelId, merchantNo } from '../line/readers.ts';
import { exportRow } from '../line/views.ts';
import { rejected } from '../operations/rejections.ts';

const kinds = ['orders', 'wallet-statement', 'breaks', 'statement-lines', 'audit-records'] as const;
type Kind = (typeof kinds)[number];

const day = matching(/^\d{4}-\d\d-\d\d$/, 'a day, such as 2026-11-30');
const dayMs = 86_400_000;

export const requestExportCommand = defineCommand({
  name: 'request-export',
  group: 'Exports',
  summary:
    'request a file of orders, a wallet statement, breaks or lines of a day, or audit records. A worker writes it',
  kind: 'change',
  roles: ['support', 'operator', 'finance', 'admin'],
  respectsRestrictions: true,
  fields: {
    kind: argument('<kind>', kinds.join(', '), oneOf(kinds)),
    format: optional('--format <format>', `${exportFormats.join(', ')} (default csv)`, oneOf(exportFormats)),
    merchant: optional('--merchant <merchant>', 'of this merchant alone', merchantNo),
    from: optional('--from <day>', 'from this day on; UTC, but for a wallet statement', day),
    to: optional('--to <day>', 'up to this day, included', day),
    day: optional('--day <day>', 'the day of breaks or lines', day),
    country: optional('--country <country>', 'the country of breaks or lines', (text) => text.toUpperCase()),
    channel: optional('--channel <channel>', 'breaks or lines of this channel alone', channelId),
  },
  async run({ domain, operator, reason }, { kind, format = 'csv', ...fields }) {
    const requested = await requestExport(domain, operator, { format, ...inputOf(kind, fields) }, reason);
    if (!requested.ok) return rejected(kind, requested);
    const { exportId } = requested.value;
    return done(`Export ${exportId} is requested: save-export writes it to a file.`, exportRow(requested.value));
  },
});

interface Given {
  merchant?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  day?: string | undefined;
  country?: string | undefined;
  channel?: string | undefined;
}

/** The input of the export. What is missing or wrong in it is refused by its schema. */
function inputOf(kind: Kind, { merchant, from, to, day, country, channel }: Given): object {
  const begin = from === undefined ? undefined : Date.parse(from);
  const end = to === undefined ? undefined : Date.parse(to) + dayMs;
  const merchantIds = merchant === undefined ? undefined : [merchant];
  switch (kind) {
    case 'orders':
      return { orders: { merchantIds, createdFrom: begin, createdTo: end } };
    case 'wallet-statement':
      return { walletStatement: { merchantId: merchant, firstDay: from, lastDay: to } };
    case 'breaks':
      return { breaks: { country, channelId: channel, day } };
    case 'statement-lines':
      return { statementLines: { country, channelId: channel, day } };
    case 'audit-records':
      return { auditRecords: { merchantIds, from: begin, to: end } };
    default:
      return kind satisfies never;
  }
}

function oneOf<const Values extends readonly string[]>(values: Values): (text: string) => Values[number] {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`Expected one of ${values.join(', ')}.`);
  };
}
