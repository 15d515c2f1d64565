import { formatTime } from '../format/time.ts';
import type { Tone } from '../format/words.ts';
import type { DayRowFragment } from '../generated/documents.generated.ts';

/** Sign, colour and label of a day. */
interface DayLook {
  readonly tone: Tone;
  readonly sign: string;
  readonly label: string;
}

/** Sign, colour and label of each state of a day. */
export const dayLooks = {
  breaks: { tone: 'bad', sign: '✕', label: 'With open breaks' },
  missing: { tone: 'warn', sign: '?', label: 'No statement' },
  matching: { tone: 'warn', sign: '…', label: 'Being matched' },
  ready: { tone: 'warn', sign: '○', label: 'Not closed' },
  closed: { tone: 'good', sign: '✓', label: 'Closed' },
} as const satisfies Record<string, DayLook>;

type Looked = Pick<DayRowFragment, 'state' | 'isCovered' | 'isMatching' | 'openBreaks'>;

/** The look of a day. Open breaks come first: a closed day can have them too, if a file came late. */
export function dayStateOf({ state, isCovered, isMatching, openBreaks }: Looked): keyof typeof dayLooks {
  if (openBreaks > 0) return 'breaks';
  if (state === 'CLOSED') return 'closed';
  if (isMatching) return 'matching';
  return isCovered ? 'ready' : 'missing';
}

/** A day as its cell and its page name it, for example `2 breaks`. */
export function describeDay(day: Looked): DayLook {
  const look = dayLooks[dayStateOf(day)];
  const { openBreaks } = day;
  return openBreaks > 0 ? { ...look, label: `${openBreaks} ${openBreaks === 1 ? 'break' : 'breaks'}` } : look;
}

/** `2026-11-21` as `21 Nov`, or as `21 Nov 2026` (`dayMonthYear`). A day of a country is not moved to another zone. */
export function showDay(day: string, format: 'dayMonth' | 'dayMonthYear' = 'dayMonth'): string {
  return formatTime(`${day}T00:00:00Z`, 'UTC', format);
}
