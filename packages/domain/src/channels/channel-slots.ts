import { type FairSlots, openFairSlots } from '../sharing/fair-slots.ts';
import type { PoolsObserver } from '../sharing/pools.ts';

/** The slots of each channel for payins that are submitted within merchants' requests. Merchants share them fairly. */
export interface ChannelSlots {
  of(channelId: string): FairSlots;
}

/** `slots`: how many payins this process submits to one channel at once. */
export function openChannelSlots(slots: number, observer?: PoolsObserver): ChannelSlots {
  const opened = new Map<string, FairSlots>();
  return {
    of(channelId) {
      const known = opened.get(channelId);
      if (known) return known;
      const made = openFairSlots({ pool: 'create_slots', slots, ...(observer && { observer }) });
      opened.set(channelId, made);
      return made;
    },
  };
}
