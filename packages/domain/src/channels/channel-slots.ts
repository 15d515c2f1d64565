/** Limits how many calls to one channel this process makes at once. */
export interface ChannelSlots {
  hasRoom(channelId: string): boolean;
  /** Takes a slot, and returns the function that frees it; null if none is free. */
  take(channelId: string): (() => void) | null;
}

export function openChannelSlots(limit: number): ChannelSlots {
  const slotsInUse = new Map<string, number>();
  const hasRoom = (channelId: string): boolean => (slotsInUse.get(channelId) ?? 0) < limit;
  return {
    hasRoom,
    take(channelId) {
      if (!hasRoom(channelId)) return null;
      slotsInUse.set(channelId, (slotsInUse.get(channelId) ?? 0) + 1);
      return () => {
        const left = (slotsInUse.get(channelId) ?? 1) - 1;
        if (left > 0) slotsInUse.set(channelId, left);
        else slotsInUse.delete(channelId);
      };
    },
  };
}
