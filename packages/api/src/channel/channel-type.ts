import { type BankMappingRecord, type ChannelRecord, loadChannels, pagesOfBankMappings } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { childPages } from '../child-pages.ts';
import { operatorOf } from '../context.ts';
import { OrderKindEnum } from '../enums.ts';
import { loaded } from '../loaded.ts';
import { scopeOf } from '../paging.ts';
import { isRestricted } from '../platform-only.ts';

const BankMappingType = builder.objectRef<BankMappingRecord>('BankMapping').implement({
  description: 'A bank code that a channel knows.',
  fields: (t) => ({
    kind: t.expose('kind', { type: OrderKindEnum, description: 'For payins or payouts.' }),
    bankCode: t.exposeString('bankCode', { description: 'What merchants send.' }),
    channelBankCode: t.exposeString('channelBankCode', { description: 'What the channel calls it.' }),
  }),
});

/** An upstream channel, by its id. */
export const ChannelType = builder.loadableNodeRef('Channel', {
  id: { resolve: ({ channelId }: ChannelRecord) => channelId },
  load: async (ids: string[], context) => loaded(await loadChannels(context.domain, scopeOf(context), ids)),
});

ChannelType.implement({
  description: 'An upstream that carries orders. Its credentials are sealed, and never told.',
  fields: (t) => ({
    channelId: t.exposeString('channelId', { description: 'The id of the channel.' }),
    adapter: t.exposeString('adapter', { description: 'The code that speaks to it.' }),
    baseUrl: t.string({
      nullable: true,
      description: 'Where it is reached; null for those who are restricted.',
      resolve: ({ baseUrl }, _args, context) => (isRestricted(operatorOf(context)) ? null : baseUrl),
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it gets new orders.' }),
    payinExpirySeconds: t.exposeInt('payinExpirySeconds', {
      description: 'How long its payins may stay unpaid, in seconds.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was set up.' }),
    changedAt: t.expose('changedAt', { type: 'DateTime', description: 'When it or its mappings changed last.' }),
    bankMappings: t.connection({
      type: BankMappingType,
      description: 'The bank codes that it knows.',
      resolve: childPages(
        'bank_mappings',
        (domain, _scope, channelIds: readonly string[], page) => pagesOfBankMappings(domain, channelIds, page),
        ({ channelId }: ChannelRecord) => channelId,
      ),
    }),
  }),
});
