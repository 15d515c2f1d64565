import { largestStatement } from '../statement.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** When statements are fetched, in ms. */
export const fetchTimes = {
  /** The time from the end of the day to the first attempt. No provider is ready earlier. */
  firstTry: hour,
  /** How long one attempt may take, with its transfer. */
  deadline: 10 * minute,
  /** How long no other attempt begins at its channel, if the process of an attempt dies. */
  lease: 11 * minute,
  /** How long a day is tried. Afterwards an operator can ask for it. */
  lifetime: 7 * day,
  lifetimeOfRequest: day,
};

/**
 * How many bytes the attempts for one day and format may transfer: two of the largest files. A provider whose file has no end, or that breaks off again
 * and again, is given up then.
 */
export const maxBytesOfDay = 2 * largestStatement;

/** How many days back the schedule goes. Operators ask for older ones. */
export const maxDaysBack = 31;

/** The outcome of an attempt that brought no file that can be used. */
export type FetchOutcome = 'not_ready' | 'unknown' | 'refused';

const waits: Readonly<Record<FetchOutcome, { first: number; most: number }>> = {
  // Each provider makes its files at its own time. A file that is missing after a day may never come, because nothing
  // happened.
  not_ready: { first: 15 * minute, most: hour },
  unknown: { first: minute, most: hour },
  // The provider may have to repair the file, for which it needs people.
  refused: { first: 30 * minute, most: 6 * hour },
};
const patientAfter = 24;
const patientWait = 6 * hour;

/** How long to wait after the `attempts`th attempt, in ms: doubled each time up to a limit. */
export function waitAfter(outcome: FetchOutcome, attempts: number): number {
  if (attempts > patientAfter) return patientWait;
  const { first, most } = waits[outcome];
  return Math.min(most, first * 2 ** Math.min(16, Math.max(0, attempts - 1)));
}

/** A file whose import has ended, and the day for which it was fetched. */
export interface EndedImport {
  state: 'imported' | 'refused';
  fileNo: number;
  refusal: string | null;
  /** Whether the file says something about the day. */
  isOfDay: boolean;
  /** Whether it has no rows: the files of such days are the same. */
  isEmpty: boolean;
}

/** The result of a fetched day. `cover`: the file has no lines, and the file of an earlier day had the same content. */
export type EndedFetch = { type: 'fetched' } | { type: 'cover' } | { type: 'again'; detail: string };

/** Decides what an ended import means for the day for which its file was fetched. */
export function decideFetch({ state, fileNo, refusal, isOfDay, isEmpty }: EndedImport): EndedFetch {
  if (state === 'refused') return { type: 'again', detail: `statement ${fileNo} was refused: ${refusal ?? ''}` };
  if (isOfDay) return { type: 'fetched' };
  return isEmpty
    ? { type: 'cover' }
    : { type: 'again', detail: `the channel gave the content of another day: statement ${fileNo}` };
}
