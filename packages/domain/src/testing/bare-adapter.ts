import type { ChannelFactory } from '../channels/channel.ts';
import type { ChannelAdapter } from '../channels/channel-adapter.ts';

/** An adapter of a test: its channels, and a few credentials that may be entered and are not read. */
export function bareAdapter(open: ChannelFactory): ChannelAdapter {
  const field = (name: string) => ({ name, label: name, isSecret: true, isRequired: false, help: 'For tests.' });
  return {
    title: 'Fake',
    carries: [],
    baseUrls: null,
    open,
    credentials: ['apiKey', 'key', 'salt', 'secret'].map(field),
  };
}
