import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { orderKindOptions } from '../format/words.ts';
import {
  DisableChannelDocument,
  EnableChannelDocument,
  MapBankDocument,
  type OrderKind,
  SetChannelDocument,
  WithdrawDeclarationDocument,
} from '../generated/documents.generated.ts';
import { Status } from '../parts/status.tsx';
import { changedChannel, isOtherHost } from './channel-changes.ts';
import type { Adapters, ChannelDetail } from './channel-detail.ts';
import { enabledWord } from './channel-words.ts';
import { CredentialFields } from './credential-fields.tsx';
import { declarationFields } from './declaration-fields.ts';

/** What can be done with a channel. */
export function channelActions(channel: ChannelDetail, adapters: Adapters): Action[] {
  return [
    channel.enabled ? disable(channel) : enable(channel),
    change(channel, adapters),
    mapBank(channel),
    ...(channel.declaration?.mode === 'LIVE' ? [withdraw(channel)] : []),
  ];
}

const whatItIs = ({ channelId, enabled }: ChannelDetail) => (
  <Before values={{ Channel: channelId, 'New orders': <Status word={enabledWord(enabled)} /> }} />
);

type OwnDocument = typeof DisableChannelDocument | typeof EnableChannelDocument | typeof WithdrawDeclarationDocument;

/** An action that needs nothing but the channel. `after`: what is true then. */
function act(
  channel: ChannelDetail,
  { after, ...action }: Pick<Action, 'operation' | 'label' | 'isDangerous'> & { document: OwnDocument; after: string },
): Action {
  const { channelId, version } = channel;
  return {
    ...action,
    subject: channelId,
    before: whatItIs(channel),
    expectedVersion: version,
    toInput: () => ({ channelId }),
    after: () => after,
  };
}

const disable = (channel: ChannelDetail): Action =>
  act(channel, {
    operation: 'disableChannel',
    document: DisableChannelDocument,
    label: 'Switch off',
    isDangerous: true,
    after: 'New orders no longer go to this channel. Those that are on it are still asked about.',
  });

const withdraw = (channel: ChannelDetail): Action =>
  act(channel, {
    operation: 'withdrawDeclaration',
    document: WithdrawDeclarationDocument,
    label: 'It is a test account',
    isDangerous: true,
    after: 'The channel is not used any more. What it reported as paid can be neither paid out nor settled.',
  });

const enable = (channel: ChannelDetail): Action =>
  act(channel, {
    operation: 'enableChannel',
    document: EnableChannelDocument,
    label: 'Switch on',
    after: 'New orders can go to this channel within five seconds.',
  });

function change(channel: ChannelDetail, adapters: Adapters): Action {
  const { channelId, adapter, baseUrl, payinExpirySeconds, credentials } = channel;
  // An adapter that is not installed here cannot be set up here.
  const { hasApi, fields } = adapters.find(({ name }) => name === adapter) ?? { hasApi: true, fields: [] };
  return defineAction({
    operation: 'setChannel',
    document: SetChannelDocument,
    label: 'Change settings',
    subject: channelId,
    before: (values) => (
      <>
        {whatItIs(channel)}
        {isOtherHost(channel, values) && (
          <p>This is another host. Enter every credential again: those that you leave empty are removed.</p>
        )}
      </>
    ),
    fields: [
      { name: 'baseUrl', label: 'URL', initial: baseUrl ?? '', isShown: () => hasApi },
      { name: 'payinExpirySeconds', label: 'A payin expires after, in seconds', initial: String(payinExpirySeconds) },
      ...declarationFields,
      {
        name: 'credentials',
        label: 'Credentials',
        kind: 'custom',
        isShown: () => hasApi,
        render: (field) => (
          <CredentialFields
            fields={fields}
            known={isOtherHost(channel, field.values) ? [] : (credentials ?? [])}
            {...field}
          />
        ),
      },
    ],
    expectedVersion: channel.version,
    toInput: (values) => changedChannel(channel, values),
    after: () => 'The settings are changed. Credentials that you left empty stay as they are.',
  });
}

/** Maps a bank code of merchants to the code of the channel. */
export function mapBank(channel: ChannelDetail): Action {
  return defineAction({
    operation: 'mapBank',
    document: MapBankDocument,
    label: 'Add a bank code',
    subject: channel.channelId,
    before: whatItIs(channel),
    fields: [
      { name: 'kind', label: 'For', kind: 'choice', options: orderKindOptions },
      { name: 'bankCode', label: "Merchant's code" },
      { name: 'channelBankCode', label: "Channel's code" },
    ],
    toInput: ({ kind, bankCode = '', channelBankCode = '' }) => ({
      channelId: channel.channelId,
      bankCode,
      channelBankCode,
      kind: kind as OrderKind,
    }),
    after: () => 'The bank code is added.',
  });
}
