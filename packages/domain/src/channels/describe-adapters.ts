import type { ChannelAccess } from './channel-access.ts';
import type { ChannelAdapter } from './channel-adapter.ts';

/** An adapter that a channel can have here, as operators see it. */
export interface AdapterDescription extends Omit<ChannelAdapter, 'open' | 'modeOf' | 'offers'> {
  name: string;
  /** Whether the adapter calls an API. If so, its channels have an address and credentials. */
  hasApi: boolean;
}

const own: readonly AdapterDescription[] = [
  {
    name: 'manual',
    title: 'Funds that operators confirm',
    hasApi: false,
    carries: [],
    baseUrls: null,
    credentials: [],
  },
  { name: 'market', title: 'Payouts that operators pay', hasApi: false, carries: [], baseUrls: null, credentials: [] },
];

/** The adapters that channels can have here, by name: those that are installed, and those that call no API. */
export function describeAdapters({ adapters }: Pick<ChannelAccess, 'adapters'>): AdapterDescription[] {
  const installed = Object.entries(adapters).map(
    ([name, { open: _open, modeOf: _modeOf, offers: _offers, ...adapter }]) => ({
      ...adapter,
      name,
      hasApi: true,
    }),
  );
  return [...installed, ...own].sort((a, b) => (a.name < b.name ? -1 : 1));
}
