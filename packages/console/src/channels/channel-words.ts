import { testWord, type Word } from '../format/words.ts';
import type { ChannelBreaker, ChannelCondition, ChannelMode } from '../generated/documents.generated.ts';

/** How a channel answers now. */
export const channelConditionWords: Readonly<Record<ChannelCondition, Word>> = {
  ANSWERING: { label: 'Answers', tone: 'good' },
  FAILING: { label: 'Fails often', tone: 'bad' },
  SILENT: { label: 'Does not answer', tone: 'bad' },
  IDLE: { label: 'Not called', tone: 'idle' },
};

/** How routing treats a channel for new orders. */
export const breakerWords: Readonly<Record<ChannelBreaker, Word>> = {
  CLOSED: { label: 'By its weight', tone: 'good' },
  HALF_OPEN: { label: 'Single orders, to see if it answers', tone: 'warn' },
  OPEN: { label: 'Other channels first: it does not answer', tone: 'bad' },
};

/** What the account of a channel is for. */
const channelModeWords: Readonly<Record<ChannelMode, Word>> = {
  LIVE: { label: 'Live', tone: 'good' },
  TEST: testWord,
  MIXED: { label: 'Test and live keys', tone: 'bad' },
  UNKNOWN: { label: 'Live or test: not known', tone: 'warn' },
};

/** The mode of a channel; in red if the environment does not use it. */
export function modeWord(mode: ChannelMode, problem: string | null): Word {
  return problem === null ? channelModeWords[mode] : { ...channelModeWords[mode], tone: 'bad' };
}

/** Whether new orders may go to a channel. */
export function enabledWord(isEnabled: boolean): Word {
  return isEnabled ? { label: 'On', tone: 'good' } : { label: 'Off', tone: 'idle' };
}

/** A share from 0 to 1 as a percentage. */
export function percentOf(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(share < 0.9995 && share > 0.99 ? 2 : 1)} %`;
}
