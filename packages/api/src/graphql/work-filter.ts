import type { WorkSort } from '@tidegate/domain/lists';
import * as z from 'zod';
import { builder } from './builder.ts';
import { type ApiContext, operatorOf } from './context.ts';

const AssignedEnum = builder.enumType('Assigned', {
  description: 'To whom a piece of work is assigned.',
  values: {
    ME: { value: 'me', description: 'You.' },
    NOBODY: { value: 'nobody', description: 'Unassigned.' },
    ANYBODY: { value: 'anybody', description: 'Any operator.' },
  } as const,
});

export const WorkSortEnum = builder.enumType('WorkSort', {
  description: 'Sort order of a list of work. Amounts are compared as numbers, whatever their currency.',
  values: {
    OLDEST_FIRST: { value: 'oldest', description: 'Oldest entries first.' },
    NEWEST_FIRST: { value: 'newest', description: 'Newest entries first.' },
    LARGEST_FIRST: { value: 'largest', description: 'Largest amounts first.' },
    SMALLEST_FIRST: { value: 'smallest', description: 'Smallest amounts first.' },
  } as const satisfies Record<string, { value: WorkSort; description: string }>,
});

/** The parts of a filter that say to whom it is assigned. */
export const assignedParts = {
  assigned: { type: AssignedEnum, description: 'Assigned to you, to any operator, or to none.' },
  assignee: { description: 'Assigned to this operator id. Not together with `assigned`.' },
} as const;

/** Schema of the filter of a list of work: `assigned`, as clients send it, in place of the domain's `isAssigned`. */
export function assignmentSchema<Shape extends z.ZodRawShape & { assignee: z.ZodType; isAssigned: z.ZodType }>(
  filter: z.ZodObject<Shape>,
) {
  const { isAssigned: _, ...shape } = filter.shape;
  return z
    .strictObject({ ...shape, assigned: z.enum(['me', 'nobody', 'anybody']).nullish() })
    .refine((given) => isOneAssignee(given as GivenFilter), {
      path: ['assignee'],
      message: 'must not be sent together with assigned',
    });
}

interface GivenFilter {
  assigned?: 'me' | 'nobody' | 'anybody' | null | undefined;
  assignee?: string | null | undefined;
}

/** The domain's filter. `me` is the caller. */
export function toDomainFilter<Filter extends GivenFilter>({ assigned, ...filter }: Filter, context: ApiContext) {
  const assignee = assigned === 'me' ? operatorOf(context).operatorId : filter.assignee;
  return { ...filter, assignee, isAssigned: assigned == null || assigned === 'me' ? null : assigned === 'anybody' };
}

function isOneAssignee({ assigned, assignee }: GivenFilter): boolean {
  return assigned == null || assignee == null;
}
