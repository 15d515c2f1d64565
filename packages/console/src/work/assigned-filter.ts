import type { Assigned } from '../generated/documents.generated.ts';
import { choice } from '../list/filters.ts';

/** Who has taken a piece of work. */
const assignedWords: Readonly<Record<Assigned, string>> = { ME: 'Me', NOBODY: 'Nobody', ANYBODY: 'Anybody' };

/** The filter of lists of work by who has taken it. */
export const assignedFilter = choice('Taken by', assignedWords);
