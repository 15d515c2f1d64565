import { largestStatement, mayAccess, receiveStatement, requestOperation } from '@tidegate/domain/operators';
import { done, refused } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument, optional, required, text } from '../line/fields.ts';
import { channelId } from '../line/readers.ts';
import { rejected } from '../operations/rejections.ts';
import { bytesOf, proposalsFor, readCountry, readFormat, withFile } from './statement-files.ts';

export const importStatementCommand = defineCommand({
  name: 'import-statement',
  group: 'Reconciliation',
  summary: 'import a statement of a channel or a bank. A file that was imported before is answered with the first one',
  kind: 'change',
  roles: ['finance'],
  respectsRestrictions: true,
  fields: {
    file: argument('<file>', 'the path of the statement', text),
    channel: required('--channel <channel>', 'the id of the channel', channelId),
    country: required('--country <country>', 'the country of its orders', readCountry),
    format: optional(
      '--format <format>',
      'the format, such as camt.053; without it the command proposes one, and imports nothing',
      readFormat,
    ),
  },
  async run({ domain, operator, reason }, { file, channel, country, format }) {
    const tenant = `PLATFORM-${country}`;
    if (!mayAccess(operator, { merchantId: tenant, country }))
      return refused(`you may not import statements of ${country}`);
    if (format === undefined) {
      const proposed = await withFile(() => proposalsFor(domain, file));
      if (typeof proposed === 'string') return refused(`${file} cannot be read: ${proposed}`);
      return refused(`${file}: ${proposed.text}. Nothing was imported: look at preview-statement, and give --format`);
    }
    const name = file.split('/').at(-1)?.slice(-100) || 'statement';
    const received = await withFile(() =>
      receiveStatement(domain, { tenant, name, uploadedBy: operator.operatorId }, bytesOf(file)),
    );
    if (typeof received === 'string') return refused(`${file} cannot be read: ${received}`);
    const tooLarge = `larger than ${largestStatement / 1024 ** 2} MiB`;
    if (!received.ok) return refused(`${file} is ${received.problem === 'empty' ? 'empty' : tooLarge}`);
    const { fileNo } = received.file;
    const input = { country, channelId: channel, fileNo, format };
    const result = await requestOperation(domain, operator, 'importStatement', input, reason);
    if (!result.ok) return rejected(file, result);
    if (result.state !== 'executed') throw new Error('an import waits for a second operator');
    const { isRepeat, file: statement } = result.value;
    const row = { fileNo: statement.fileNo, state: statement.state, channel, format, sha256: statement.sha256 };
    return isRepeat
      ? done(`Statement ${statement.fileNo} has the same content: nothing has changed.`, row)
      : done(`Statement ${statement.fileNo} is received. The worker imports it.`, row);
  },
});
