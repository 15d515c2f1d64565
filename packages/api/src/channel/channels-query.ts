import { pageChannels } from '@tidegate/domain';
import { builder } from '../builder.ts';
import { connectionOf, pageOf } from '../paging.ts';
import { ChannelType } from './channel-type.ts';

builder.queryField('channels', (t) =>
  t.connection({
    type: ChannelType,
    description: 'The upstream channels, by id. They are the same for every operator.',
    authScopes: { operator: true },
    resolve: async (_root, args, { domain }) => connectionOf(await pageChannels(domain, pageOf('channels', args))),
  }),
);
