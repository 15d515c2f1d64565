import { roleWords } from '../format/words.ts';
import type { OperatorFilter, Role } from '../generated/documents.generated.ts';
import { choice, type FilterValues } from '../list/filters.ts';

/** The filters of the list of operators. */
export const operatorFilters = {
  role: choice('Role', roleWords as Record<Role, string>),
  state: choice('State', { active: 'May sign in', disabled: 'May not sign in' }),
};

/** The API filter for the filters in the page's URL. */
export function toOperatorFilter({ role, state }: FilterValues<typeof operatorFilters>): OperatorFilter {
  return { ...(role && { role }), ...(state && { enabled: state === 'active' }) };
}
