import type { ActionValues } from '../actions/action.ts';

interface Settings {
  readonly beginsOn: string;
  readonly tolerance: string;
  readonly account?: string | null;
  readonly fetches: boolean;
}

/** The settings that were changed in a dialog. Others are not sent, and stay: an emptied field changes nothing. */
export function changedReconciliation(
  now: Settings | null,
  typed: ActionValues,
): { beginsOn?: string; tolerance?: string; account?: string; fetches?: boolean } {
  const changed = (['beginsOn', 'tolerance', 'account'] as const)
    .map((name) => [name, typed[name]?.trim() ?? ''] as const)
    .filter(([name, value]) => value !== '' && value !== now?.[name]);
  const fetches = typed.fetches === 'yes';
  return { ...Object.fromEntries(changed), ...(fetches !== (now?.fetches ?? false) && { fetches }) };
}
