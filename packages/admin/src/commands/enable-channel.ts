import { changeConfiguration, platformTenant, setChannelEnabled } from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { channelId } from '../readers.ts';

export const enableChannel = defineCommand({
  name: 'enable-channel',
  group: 'Channels',
  summary: 'let new orders through a channel again',
  kind: 'change',
  role: 'admin',
  fields: { channelId: argument('<channel>', 'its id', channelId) },
  async run({ domain, by }, { channelId }) {
    const change = {
      merchantId: platformTenant,
      change: 'setChannelEnabled',
      subject: channelId,
      settings: { enabled: true },
    };
    if (!(await changeConfiguration(domain, change, by, () => setChannelEnabled(domain, channelId, true))))
      return refused(`there is no channel ${channelId}: see set-channel`);
    return done(`Channel ${channelId} takes new orders.`, { channelId, enabled: true });
  },
});
