import { examineCallback } from '@tidegate/domain/admin';
import { done, refused } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { required, text } from '../line/fields.ts';
import { channelId } from '../line/readers.ts';
import { noChannel } from './check-channel.ts';

export const examineCallbackCommand = defineCommand({
  name: 'examine-callback',
  group: 'Channels',
  summary:
    'explain a callback of a channel: whether its signature holds, what it means, what would happen. Changes nothing',
  kind: 'read',
  roles: ['support', 'operator', 'admin'],
  fields: {
    channel: required('--channel <channel>', 'the id of the channel', channelId),
    headers: required('--headers <file>', 'its headers, one "name: value" per line', text),
    body: required('--body <file>', 'its body, byte by byte', text),
  },
  async run({ domain, readInput, readBytes }, { channel, headers, body }) {
    const examined = await examineCallback(
      domain,
      channel,
      readHeaders(await readInput(headers)),
      await readBytes(body),
    );
    if (examined === null) return refused(noChannel(channel));
    const { steps, ...rest } = examined;
    return done(`Callback of ${channel}: ${examined.effect}`, {
      ...rest,
      steps: steps.map(({ step, isOk, detail }) => ({ step, ok: isOk, detail })),
    });
  },
});

/** Headers as curl, a proxy or a log prints them. Names become lower case; other lines are left out. */
function readHeaders(lines: string): Record<string, string> {
  const pairs = lines
    .split(/\r?\n/)
    .map((line) => /^([A-Za-z0-9-]+):(.*)$/.exec(line.trim()))
    .flatMap((found) =>
      found?.[1] === undefined ? [] : [[found[1].toLowerCase(), (found[2] ?? '').trimStart()] as const],
    );
  return Object.fromEntries(pairs);
}
