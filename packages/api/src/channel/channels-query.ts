import { pageChannels } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { ChannelType } from './channel-type.ts';

builder.queryField('channels', (t) =>
  t.connection({
    type: ChannelType,
    description:
      'The upstream channels, by id: where you are restricted, those that a route of your merchants leads to.',
    authScopes: { operator: true },
    resolve: async (_root, args, context) =>
      connectionOf(await pageChannels(context.domain, scopeOf(context), pageOf('channels', args))),
  }),
);
