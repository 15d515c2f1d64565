import type { Assigned } from '../generated/documents.generated.ts';
import { choice } from '../list/filters.ts';

/** To whom work is assigned. */
const assignedWords: Readonly<Record<Assigned, string>> = { ME: 'Me', NOBODY: 'Unassigned', ANYBODY: 'Anybody' };

/** The filter of lists of work by whom it is assigned to. */
export const assignedFilter = choice('Assignment', assignedWords);
