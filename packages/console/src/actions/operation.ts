import { roleWords } from '../format/words.ts';
import { operations } from '../generated/operations.generated.ts';
import { useMe } from '../session/use-me.ts';

export type OperationName = keyof typeof operations;

/** An operation of the API, as its schema describes it. */
export interface Operation {
  readonly summary: string;
  readonly roles: readonly string[];
  readonly takesReason: boolean;
  readonly fields: Readonly<
    Record<string, { readonly help: string; readonly isRequired: boolean; readonly isAmount?: true }>
  >;
}

/** Who may run an operation, what it does, and what its fields mean. */
export function operationNamed(name: OperationName): Operation {
  return operations[name];
}

/** Roles as people read them: `finance or admin`. */
export function listRoles(roles: readonly string[]): string {
  return roles.map((role) => roleWords[role] ?? role).join(' or ');
}

/** Why this operator may not run an operation; null if they may. The API checks it again. */
export function useWhyNot(): (name: OperationName) => string | null {
  const { roles } = useMe();
  return (name) => {
    const needed = operationNamed(name).roles;
    if (needed.length === 0 || needed.some((role) => roles.some((own) => own === role))) return null;
    return `Needs the role ${listRoles(needed)}. Yours: ${roles.map((role) => roleWords[role] ?? role).join(', ')}.`;
  };
}
