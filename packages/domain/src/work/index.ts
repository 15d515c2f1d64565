// What other folders of the domain may import.

export { type Assignment, problemOfReleasing, problemOfTaking } from './assign-work.ts';
export type { FileOwner } from './attach-file.ts';
export { loadAssignments } from './list-work.ts';
export { problemOfWorker } from './prepare-work.ts';
export { subjectOf, type WorkItem } from './work-item.ts';

/** The names in audit records for work that decides nothing. */
export const recordedWork = ['addNote', 'takeWork', 'releaseWork', 'assignWork', 'attachFile', 'readFile'];
