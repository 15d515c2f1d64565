import { fieldsOf } from '@tidegate/domain/lists';
import { mayAccess, operations, previewStatement, type StatementPreview } from '@tidegate/domain/operators';
import { type Answer, done, refused } from '../line/answer.ts';
import { type Context, defineCommand } from '../line/command.ts';
import { argument, optional, required, text } from '../line/fields.ts';
import { channelId } from '../line/readers.ts';
import { rejected } from '../operations/rejections.ts';
import { readProfile } from './read-profile.ts';
import { contentOf, proposalsFor, readCountry, readFormat, withFile } from './statement-files.ts';

export const previewStatementCommand = defineCommand({
  name: 'preview-statement',
  group: 'Reconciliation',
  summary:
    'show how a file would be read: its first 200 rows, all rows that would be set aside, and why it would be refused. Nothing is stored',
  kind: 'read',
  roles: [...new Set([...operations.importStatement.roles, ...operations.setCsvProfile.roles])],
  respectsRestrictions: true,
  fields: {
    file: argument('<file>', 'the path of the statement', text),
    country: required('--country <country>', 'the country of its orders', readCountry),
    channel: optional('--channel <channel>', 'the channel; default: account and first day are not compared', channelId),
    format: optional(
      '--format <format>',
      'the format; default: the only one that its first bytes can have',
      readFormat,
    ),
    profile: optional('--profile-file <path>', 'instead of a format, a CSV profile that is not stored yet', text),
  },
  async run(context, { file, country, channel = null, format, profile }) {
    const { domain, operator } = context;
    if (!mayAccess(operator, { merchantId: `PLATFORM-${country}`, country }))
      return refused(`you may not preview statements of ${country}`);
    const done = await withFile(async () => {
      const as = await previewedAs(context, file, { format, profile });
      if ('refused' in as) return as.refused;
      const result = await previewStatement(domain, { country, channelId: channel, as }, contentOf(file));
      return result.ok ? answerOf(result.value) : rejected(file, result);
    });
    return typeof done === 'string' ? refused(`${file} cannot be read: ${done}`) : done;
  },
});

async function previewedAs(
  { domain, readInput }: Context,
  file: string,
  { format, profile }: { format: string | undefined; profile: string | undefined },
) {
  if (format !== undefined && profile !== undefined) return { refused: refused('give --format or --profile-file') };
  if (format !== undefined) return { format };
  if (profile !== undefined) {
    const settings = readProfile(await readInput(profile));
    return typeof settings === 'string'
      ? { refused: refused(`${profile}: ${settings}`) }
      : { profile: fieldsOf(settings) };
  }
  const { only, text } = await proposalsFor(domain, file);
  return only === null ? { refused: refused(`${file}: ${text}: give --format`) } : { format: only };
}

function answerOf({ rows, unparsed, accounts, refusal, country, ...totals }: StatementPreview): Answer {
  const shown = rows.map(({ merchantId: _m, fileNo: _f, channelId: _c, occurredAt: _o, ...row }) => row);
  const message =
    refusal === null
      ? 'It would be imported. Nothing was stored.'
      : `It would be refused: ${refusal}. Nothing was stored.`;
  const setAside = unparsed.map(({ lineNo, reason }) => ({ lineNo, reason }));
  return done(message, { country, refusal, ...totals, accounts: [...accounts], rows: shown, setAside });
}
