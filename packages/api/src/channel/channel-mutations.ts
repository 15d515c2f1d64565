import { addOperation } from '../operation/operation-field.ts';
import { ChannelType } from './channel-type.ts';

for (const name of ['setChannel', 'enableChannel', 'disableChannel', 'mapBank'] as const)
  addOperation(name, (t) => ({
    channel: t.field({
      type: ChannelType,
      description: 'The channel as it is then.',
      resolve: ({ value }) => value.channelId,
    }),
  }));
