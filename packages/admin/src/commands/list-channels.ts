import { listChannels } from '@tidegate/domain/admin';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';

export const listChannelsCommand = defineCommand({
  name: 'list-channels',
  group: 'Channels',
  summary: 'list channels, without their credentials',
  kind: 'read',
  roles: null,
  fields: {},
  async run({ domain }) {
    const rows = await listChannels(domain);
    return done(
      `Channels: ${rows.length}`,
      rows.map((one) => ({ ...one })),
    );
  },
});
