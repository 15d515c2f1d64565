import { loadChannels, pageChannels } from '@tidegate/domain/lists';
import { matchingText } from '@tidegate/settings/bounded-text';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { ChannelType } from './channel-type.ts';

builder.queryField('channels', (t) =>
  t.connection({
    type: ChannelType,
    description: "Upstream channels, by id. Restricted operators see the channels that their merchants' routes use.",
    authScopes: { operator: true },
    resolve: async (_root, args, context) =>
      connectionOf(await pageChannels(context.domain, scopeOf(context), pageOf('channels', args))),
  }),
);

/** A channel's id. */
const channelName = matchingText(
  32,
  /^[a-z0-9-]{2,32}$/,
  'must be a channel id: 2 to 32 lower-case letters, digits, hyphens',
);

builder.queryField('channel', (t) =>
  t.field({
    type: ChannelType,
    nullable: true,
    description: 'One channel. Null if it does not exist or you may not see it.',
    authScopes: { operator: true },
    args: {
      channelId: t.arg.string({ required: true, description: 'The channel id.', validate: { schema: channelName } }),
    },
    resolve: async (_root, { channelId }, context) => {
      const [channel] = await loadChannels(context.domain, scopeOf(context), [channelId]);
      return channel ?? null;
    },
  }),
);
