import { checkChannel } from '@tidegate/domain/admin';
import { done, refused } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument } from '../line/fields.ts';
import { channelId } from '../line/readers.ts';

export const checkChannelCommand = defineCommand({
  name: 'check-channel',
  group: 'Channels',
  summary:
    'check a channel with harmless calls: address, credentials, clock, certificates, callback address. Exit code 1 if a check fails',
  kind: 'read',
  roles: ['admin'],
  fields: { channelId: argument('<channel>', 'its id', channelId) },
  async run({ domain }, { channelId }) {
    const steps = await checkChannel(domain, channelId);
    if (steps === null) return refused(noChannel(channelId));
    const failed = steps.filter(({ isOk }) => !isOk).length;
    const rows = steps.map(({ step, isOk, detail }) => ({ check: step, ok: isOk, detail }));
    if (failed === 0) return done(`Channel ${channelId}: all is well.`, rows);
    return {
      ok: true,
      message: `Channel ${channelId}: checks that failed: ${failed}`,
      result: rows,
      ended: 'violated',
    };
  },
});

/** Why nothing can be said of a channel. */
export function noChannel(channelId: string): string {
  return `there is no channel ${channelId}, or its adapter is not installed: see list-channels`;
}
