import type { ChannelAnswer } from '../core/channel-answer.ts';

/** After so many calls in a row that waited and had no answer, a channel counts as hanging, until it answers one. */
const unansweredInARow = 10;
/** A call that fails sooner than this holds nobody up, in ms. */
const waitedMs = 1_000;
/** Most channels kept in memory. Beyond it all are dropped and learned again. */
const mostChannels = 1_000;

/** Which channels hang, as the calls of this process find it. */
export interface ChannelHealth {
  record(channelId: string, answer: ChannelAnswer, ms: number): void;
  isHanging(channelId: string): boolean;
}

export function openChannelHealth(): ChannelHealth {
  const unanswered = new Map<string, number>();
  return {
    record(channelId, answer, ms) {
      const isAnswer = answer.outcome !== 'unknown' || answer.why !== 'no_answer';
      if (isAnswer) unanswered.delete(channelId);
      else if (ms >= waitedMs) {
        if (unanswered.size >= mostChannels) unanswered.clear();
        unanswered.set(channelId, (unanswered.get(channelId) ?? 0) + 1);
      }
    },
    isHanging: (channelId) => (unanswered.get(channelId) ?? 0) >= unansweredInARow,
  };
}
