// What other capabilities take from this one.

export { type Assignment, problemOfReleasing, problemOfTaking } from './assign-work.ts';
export type { FileOwner } from './attach-file.ts';
export { loadAssignments } from './list-work.ts';
export { problemOfWorker } from './prepare-work.ts';
export { subjectOf, type WorkItem } from './work-item.ts';

/** What audit records call work that decides nothing. */
export const recordedWork = ['addNote', 'takeWork', 'releaseWork', 'assignWork', 'attachFile', 'readFile'];
