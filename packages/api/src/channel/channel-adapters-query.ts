import { type AdapterDescription, describeAdapters } from '@tidegate/domain/lists';
import { CountryEnum, OrderKindEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';

const CarriedOrders = builder.objectRef<AdapterDescription['carries'][number]>('CarriedOrders').implement({
  description: 'Orders that an adapter can carry: a country, and payins or payouts.',
  fields: (t) => ({
    country: t.expose('country', { type: CountryEnum, description: 'Country of the orders.' }),
    kind: t.expose('kind', { type: OrderKindEnum, description: 'Payins or payouts.' }),
  }),
});

const CredentialField = builder.objectRef<AdapterDescription['credentials'][number]>('CredentialField').implement({
  description: 'A credential that an adapter reads. What is entered is stored sealed and never returned.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the credential, as `setChannel` takes it.' }),
    label: t.exposeString('label', { description: 'What the provider calls it.' }),
    description: t.exposeString('help', { description: 'Where to find it at the provider, and what it does.' }),
    isSecret: t.exposeBoolean('isSecret', { description: 'Whether to hide it while it is typed.' }),
    isRequired: t.exposeBoolean('isRequired', { description: 'Whether a channel cannot be used without it.' }),
    choices: t.stringList({
      nullable: true,
      description: 'The only values that it can have. Null: any.',
      resolve: ({ choices }) => (choices === undefined ? null : [...choices]),
    }),
  }),
});

const ChannelAdapterType = builder.objectRef<AdapterDescription>('ChannelAdapter').implement({
  description: 'An adapter that a channel can have here, and what has to be entered for it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the adapter, as `setChannel` takes it.' }),
    title: t.exposeString('title', { description: 'Name of the provider, for people.' }),
    hasApi: t.exposeBoolean('hasApi', {
      description: 'Whether it calls an API. If not, its channels have neither base URL nor credentials.',
    }),
    carries: t.field({
      type: [CarriedOrders],
      description: 'What it can carry. Empty: what the routes send to it.',
      resolve: ({ carries }) => carries,
    }),
    liveBaseUrl: t.string({
      nullable: true,
      description: "The provider's base URL for real money. Null: it has none of its own.",
      resolve: ({ baseUrls }) => baseUrls?.live ?? null,
    }),
    testBaseUrl: t.string({
      nullable: true,
      description: "The provider's base URL for tests. Null: it has none of its own.",
      resolve: ({ baseUrls }) => baseUrls?.test ?? null,
    }),
    fields: t.field({
      type: [CredentialField],
      description: 'All credentials that it reads.',
      resolve: ({ credentials }) => credentials,
    }),
  }),
});

builder.queryField('channelAdapters', (t) =>
  t.field({
    type: [ChannelAdapterType],
    description: 'The adapters that channels can have here, by name. Production has none of the sandbox.',
    authScopes: { operator: true },
    resolve: (_root, _args, { domain }) => describeAdapters(domain),
  }),
);
