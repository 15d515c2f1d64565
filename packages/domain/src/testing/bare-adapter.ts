import type { ChannelFactory } from '../channels/channel.ts';
import type { ChannelAdapter, CredentialField } from '../channels/channel-adapter.ts';

/** An adapter of a test: its channels, and a few credentials that may be entered and are not read. */
export function bareAdapter(open: ChannelFactory): ChannelAdapter {
  const field = (name: string): CredentialField => ({
    name,
    label: name,
    isSecret: true,
    isRequired: false,
    purposes: ['payin', 'callback', 'payout', 'statement'],
    help: 'For tests.',
  });
  return {
    title: 'Fake',
    carries: [],
    baseUrls: null,
    open,
    modeOf: () => 'test',
    offers: () => ({ refunds: false, statements: [] }),
    credentials: ['apiKey', 'key', 'salt', 'secret'].map(field),
  };
}
