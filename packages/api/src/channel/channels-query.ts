import { pageChannels } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
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
