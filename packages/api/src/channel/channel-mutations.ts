import { addOperation, addOperationForTwo } from '../operation/operation-field.ts';
import { ChannelType } from './channel-type.ts';

for (const name of ['enableChannel', 'disableChannel', 'mapBank'] as const)
  addOperation(name, (t) => ({
    channel: t.field({
      type: ChannelType,
      description: 'The channel after the operation.',
      resolve: ({ value }) => value.channelId,
    }),
  }));

addOperationForTwo('setChannel', (t) => ({
  channel: t.field({
    type: ChannelType,
    nullable: true,
    description: 'The channel after the operation.',
    resolve: ({ value }) => value?.channelId ?? null,
  }),
}));
