import type { ChannelAnswer } from '../core/channel-answer.ts';
import { isAnswer } from '../core/routing-health.ts';

/** After this number of unanswered calls in a row a channel counts as hanging, until it answers again. */
const unansweredInARow = 10;
/** A call that fails sooner than this does not count as hanging, in ms. */
const waitedMs = 1_000;
/** The most channels in memory. If there are more, all are dropped and learned again. */
const maxChannels = 1_000;

/** Channels that hang, as seen by this process. */
export interface ChannelHealth {
  record(channelId: string, answer: ChannelAnswer, ms: number): void;
  isHanging(channelId: string): boolean;
}

export function openChannelHealth(): ChannelHealth {
  const unanswered = new Map<string, number>();
  return {
    record(channelId, answer, ms) {
      if (isAnswer(answer)) unanswered.delete(channelId);
      else if (ms >= waitedMs) {
        if (unanswered.size >= maxChannels) unanswered.clear();
        unanswered.set(channelId, (unanswered.get(channelId) ?? 0) + 1);
      }
    },
    isHanging: (channelId) => (unanswered.get(channelId) ?? 0) >= unansweredInARow,
  };
}
