import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { Channel } from './channel.ts';

/**
 * A channel whose settings its adapter refuses. Nothing is sent, and nothing is known of its orders: an earlier call,
 * with settings that worked, may have been answered. `detail` is the adapter's error message.
 */
export function unusableChannel(detail: string): Channel {
  const answer: ChannelAnswer = {
    outcome: 'unknown',
    why: 'no_answer',
    isUnsent: true,
    detail: `unusable settings: ${detail}`,
  };
  const ask = async (): Promise<ChannelAnswer> => answer;
  return {
    create: ask,
    query: ask,
    cancel: ask,
    parseCallback: () => ({ type: 'refused', why: 'unauthentic', detail: 'unusable settings' }),
    check: async () => [{ step: 'credentials', isOk: false, detail }],
  };
}
