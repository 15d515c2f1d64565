import { type ChannelReconciliation, type ChannelRecord, loadChannelReconciliations } from '@tidegate/domain/lists';
import { versionOfReconciliation } from '@tidegate/domain/operators';
import { versionDescription } from '../action/version.ts';
import { ChannelType } from '../channel/channel-type.ts';
import { builder } from '../graphql/builder.ts';
import type { ApiContext } from '../graphql/context.ts';
import { scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';
import { countryField, currencyField } from './statement-type.ts';

const ChannelReconciliationType = builder.objectRef<ChannelReconciliation>('ChannelReconciliation').implement({
  description: 'How a channel of a country is reconciled. `setReconciliation` changes it.',
  fields: (t) => ({
    country: t.field(countryField),
    currency: t.field(currencyField),
    beginsOn: t.exposeString('beginsOn', { description: 'First day that is reconciled.' }),
    tolerance: t.expose('tolerance', {
      type: 'Decimal',
      description: 'How far a line and the ledger may differ, in `currency`.',
    }),
    fetches: t.exposeBoolean('fetches', { description: 'Whether its statements are fetched by schedule.' }),
    version: t.string({ description: versionDescription, resolve: versionOfReconciliation }),
    account: t.exposeString('account', {
      nullable: true,
      description: 'Account that every statement must name. Null: any. Hidden from viewers.',
      authScopes: personal,
    }),
  }),
});

builder.objectField(ChannelType, 'reconciliations', (t) =>
  t.loadableList({
    type: ChannelReconciliationType,
    description: 'How it is reconciled in each country. Countries that it is not reconciled in have no entry.',
    load: (channelIds: string[], context: ApiContext) =>
      loadChannelReconciliations(context.domain, scopeOf(context), channelIds),
    resolve: ({ channelId }: ChannelRecord) => channelId,
  }),
);
