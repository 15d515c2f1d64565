import { createReadStream } from 'node:fs';
import type { Country } from '@tidegate/domain';
import { countries } from '@tidegate/domain';
import { largestStatement, mayAccess, receiveStatement, requestOperation } from '@tidegate/domain/operators';
import { InvalidArgumentError } from 'commander';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, matching, required, text } from '../fields.ts';
import { channelId } from '../readers.ts';
import { rejected } from '../rejections.ts';

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
    format: required('--format <format>', 'the format, such as camt.053', matching(/^[a-z0-9.:-]{2,64}$/, 'a format')),
  },
  async run({ domain, operator, reason }, { file, channel, country, format }) {
    const tenant = `PLATFORM-${country}`;
    if (!mayAccess(operator, { merchantId: tenant, country }))
      return refused(`you may not import statements of ${country}`);
    const name = file.split('/').at(-1)?.slice(-100) || 'statement';
    const received = await receiveFile(() =>
      receiveStatement(domain, { tenant, name, uploadedBy: operator.operatorId }, createReadStream(file)),
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

/** The error code of the system if the file cannot be read. */
async function receiveFile<T>(receive: () => Promise<T>): Promise<T | string> {
  try {
    return await receive();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === 'open' || syscall === 'read') return code ?? 'an error';
    throw error;
  }
}

function readCountry(text: string): Country {
  const found = countries.find((one) => one === text.toUpperCase());
  if (found) return found;
  throw new InvalidArgumentError(`Expected one of ${countries.join(', ')}.`);
}
