import { addOperation, addOperationForTwo } from '../approval/operation-field.ts';
import { ChannelType } from './channel-type.ts';

addOperation('disableChannel', (t) => ({
  channel: t.field({
    type: ChannelType,
    description: 'The channel after the operation.',
    resolve: ({ value }) => value.channelId,
  }),
}));

addOperation('withdrawDeclaration', (t) => ({
  channel: t.field({
    type: ChannelType,
    description: 'The channel after the operation.',
    resolve: ({ value }) => value.channelId,
  }),
  withheldFrom: t.stringList({
    description: 'The merchants of whose wallets money is withheld.',
    resolve: ({ value }) => value.withheld.map(({ merchantId }) => merchantId),
  }),
}));

for (const name of ['setChannel', 'enableChannel', 'mapBank'] as const)
  addOperationForTwo(name, (t) => ({
    channel: t.field({
      type: ChannelType,
      nullable: true,
      description: 'The channel after the operation.',
      resolve: ({ value }) => value?.channelId ?? null,
    }),
  }));
