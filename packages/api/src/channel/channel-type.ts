import { type BankMappingRecord, type ChannelRecord, loadChannels, pagesOfBankMappings } from '@tidegate/domain/lists';
import { type CredentialRecord, loadCredentialNames } from '@tidegate/domain/operators';
import DataLoader from 'dataloader';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionOfConfiguration } from '../action/version.ts';
import { ChannelModeEnum } from '../enums/channel-mode-enums.ts';
import { OrderKindEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { childPages } from '../graphql/child-pages.ts';
import { type ApiContext, operatorOf } from '../graphql/context.ts';
import { loaded } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';
import { isRestricted } from '../graphql/platform-only.ts';
import { ChannelHealthType, loadChannelHealth } from './channel-health-type.ts';
import { ChannelRoutingType, routingOf } from './channel-routing-type.ts';

const BankMappingType = builder.objectRef<BankMappingRecord>('BankMapping').implement({
  description: 'Mapping of a bank code to the code of a channel.',
  fields: (t) => ({
    kind: t.expose('kind', { type: OrderKindEnum, description: 'Payins or payouts.' }),
    bankCode: t.exposeString('bankCode', { description: 'Bank code that merchants send.' }),
    channelBankCode: t.exposeString('channelBankCode', { description: 'Bank code of the channel.' }),
  }),
});

/** An upstream channel, by its id. */
export const ChannelType = builder.loadableNodeRef('Channel', {
  id: { resolve: ({ channelId }: ChannelRecord) => channelId },
  load: async (ids: string[], context) => loaded(await loadChannels(context.domain, scopeOf(context), ids)),
});

const ChannelCredential = builder.objectRef<CredentialRecord>('ChannelCredential').implement({
  description: 'A credential of a channel. Its value can be set and is never returned.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the credential.' }),
    setAt: t.expose('setAt', {
      type: 'DateTime',
      description: 'Time at which its value was set.',
    }),
  }),
});

const ModeDeclarationType = builder.objectRef<ChannelRecord>('ModeDeclaration').implement({
  description: 'Declaration for an account whose mode key and host do not show. It ends when either changes.',
  fields: (t) => ({
    mode: t.field({
      type: ChannelModeEnum,
      description: 'The declared mode.',
      resolve: ({ declaredMode }) => declaredMode ?? 'unknown',
    }),
    declaredBy: t.exposeString('declaredBy', { nullable: true, description: 'Operator who requested it.' }),
    approver: t.exposeString('declaredApprover', { nullable: true, description: 'Operator who approved it.' }),
    declaredAt: t.expose('declaredAt', { type: 'DateTime', nullable: true, description: 'Time of the approval.' }),
    evidence: t.exposeString('declaredEvidence', { nullable: true, description: 'How they know it.' }),
  }),
});

const credentials = new WeakMap<ApiContext, DataLoader<string, CredentialRecord[]>>();

function credentialsOf(context: ApiContext, channelId: string): Promise<CredentialRecord[]> {
  const loader =
    credentials.get(context) ?? new DataLoader((ids: readonly string[]) => loadCredentialNames(context.domain, ids));
  credentials.set(context, loader);
  return loader.load(channelId);
}

ChannelType.implement({
  description: 'An upstream channel that processes orders. Its credentials are sealed and never returned.',
  fields: (t) => ({
    channelId: t.exposeString('channelId', { description: 'Channel id.' }),
    adapter: t.exposeString('adapter', { description: 'Name of the adapter.' }),
    baseUrl: t.string({
      nullable: true,
      description: "Base URL of the channel's API. Null for restricted operators.",
      resolve: ({ baseUrl }, _args, context) => (isRestricted(operatorOf(context)) ? null : baseUrl),
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether new orders are routed to the channel.' }),
    payinExpirySeconds: t.exposeInt('payinExpirySeconds', {
      description: 'Time after which an unpaid payin expires, in seconds.',
    }),
    mode: t.field({
      type: ChannelModeEnum,
      description: 'What its account is for: as its adapter sees it, else as declared.',
      resolve: async ({ channelId }, _args, { domain }) =>
        (await domain.channelStandings(channelId))?.mode ?? 'unknown',
    }),
    modeProblem: t.string({
      nullable: true,
      description: 'Why this environment does not use the channel. Null: it can be used.',
      resolve: async ({ channelId }, _args, { domain }) => (await domain.channelStandings(channelId))?.problem ?? null,
    }),
    declaration: t.field({
      type: ModeDeclarationType,
      nullable: true,
      description: 'What operators declared about its mode. Null: nothing, or you are restricted.',
      resolve: (channel, _args, context) =>
        channel.declaredMode === null || isRestricted(operatorOf(context)) ? null : channel,
    }),
    credentials: t.field({
      type: [ChannelCredential],
      nullable: true,
      authScopes: { roles: ['admin'] },
      description: 'Which credentials are set, by name. Null for restricted operators. Role: admin.',
      resolve: ({ channelId }, _args, context) =>
        isRestricted(operatorOf(context)) ? null : credentialsOf(context, channelId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'Last change of the channel or its bank mappings.',
    }),
    health: t.loadable({
      type: ChannelHealthType,
      description: 'How the channel answered in the last 10 minutes.',
      load: loadChannelHealth,
      resolve: ({ channelId }) => channelId,
    }),
    routing: t.field({
      type: ChannelRoutingType,
      nullable: true,
      description: 'How the channel counts for new orders now. Null if Redis is unavailable.',
      resolve: ({ channelId }, _args, context) => routingOf(context, channelId),
    }),
    version: t.string(versionOfConfiguration((channel: ChannelRecord) => ({ type: 'channel', channel }))),
    actions: t.field(actionsOf((channel: ChannelRecord) => ({ type: 'channel', channel }))),
    bankMappings: t.connection({
      type: BankMappingType,
      description: 'Bank codes that the channel supports.',
      resolve: childPages(
        'bank_mappings',
        (domain, _scope, channelIds: readonly string[], page) => pagesOfBankMappings(domain, channelIds, page),
        ({ channelId }: ChannelRecord) => channelId,
      ),
    }),
  }),
});
