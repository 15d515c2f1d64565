import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { orderKindOptions } from '../format/words.ts';
import {
  DisableChannelDocument,
  EnableChannelDocument,
  MapBankDocument,
  type OrderKind,
} from '../generated/documents.generated.ts';
import { Status } from '../parts/status.tsx';
import type { ChannelDetail } from './channel-detail.ts';
import { enabledWord } from './channel-words.ts';

/** What can be done with a channel. */
export function channelActions(channel: ChannelDetail): Action[] {
  return [channel.enabled ? disable(channel) : enable(channel), mapBank(channel)];
}

const whatItIs = ({ channelId, enabled }: ChannelDetail) => (
  <Before values={{ Channel: channelId, 'New orders': <Status word={enabledWord(enabled)} /> }} />
);

function disable(channel: ChannelDetail): Action {
  return defineAction({
    operation: 'disableChannel',
    document: DisableChannelDocument,
    label: 'Switch off',
    isDangerous: true,
    subject: channel.channelId,
    before: whatItIs(channel),
    expectedVersion: channel.version,
    toInput: () => ({ channelId: channel.channelId }),
    after: () => 'New orders no longer go to this channel. Those that are on it are still asked about.',
  });
}

function enable(channel: ChannelDetail): Action {
  return defineAction({
    operation: 'enableChannel',
    document: EnableChannelDocument,
    label: 'Switch on',
    subject: channel.channelId,
    before: whatItIs(channel),
    expectedVersion: channel.version,
    toInput: () => ({ channelId: channel.channelId }),
    after: () => 'New orders can go to this channel within five seconds.',
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
      ...{ channelId: channel.channelId, bankCode, channelBankCode, kind: kind as OrderKind },
    }),
    after: () => 'The bank code is added.',
  });
}
