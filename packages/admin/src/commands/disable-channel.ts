import { changeConfiguration, platformTenant, setChannelEnabled } from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { channelId } from '../readers.ts';

export const disableChannel = defineCommand({
  name: 'disable-channel',
  group: 'Channels',
  summary: 'let no new orders through a channel; what was sent through it is followed to its end',
  kind: 'change',
  role: 'admin',
  fields: { channelId: argument('<channel>', 'its id', channelId) },
  async run({ domain, by }, { channelId }) {
    const change = {
      merchantId: platformTenant,
      change: 'setChannelEnabled',
      subject: channelId,
      settings: { enabled: false },
    };
    if (!(await changeConfiguration(domain, change, by, () => setChannelEnabled(domain, channelId, false))))
      return refused(`there is no channel ${channelId}: see set-channel`);
    return done(`Channel ${channelId} takes no new orders.`, { channelId, enabled: false });
  },
});
