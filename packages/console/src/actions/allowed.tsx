import { asSentence } from '../format/words.ts';
import type { Action as ActionName, AllowedPartsFragment, ReturnWay } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import type { Action } from './action.ts';
import { listRoles } from './operation.ts';

/** What the API says about one action, in one of its ways if it has several; null if it does not apply here. */
export function allowedAction(
  actions: readonly AllowedPartsFragment[],
  name: ActionName,
  way?: ReturnWay,
): AllowedPartsFragment | null {
  return actions.find((one) => one.action === name && (way === undefined || one.way === way)) ?? null;
}

/** Why an action is not possible now, for people; null if it is. */
export function blockedBy(actions: readonly AllowedPartsFragment[], name: ActionName, way?: ReturnWay): string | null {
  const found = allowedAction(actions, name, way);
  if (found === null) return 'This does not apply here.';
  return found.allowed ? null : asSentence(found.message ?? 'this is not possible now');
}

/** The actions of an object, each blocked where the API says that it is not possible now. */
export function blockedAsAllowed(actions: readonly Action[], allowed: readonly AllowedPartsFragment[]): Action[] {
  return actions.map((action) => {
    const name = action.operation.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase() as ActionName;
    return allowedAction(allowed, name) === null ? action : { ...action, blocked: blockedBy(allowed, name) };
  });
}

/** Whether another operator has to approve an action. */
export function SecondOperator({ action, currency }: { action: AllowedPartsFragment | null; currency: string }) {
  if (!action?.needsApproval && !action?.approvalAbove) return <>Not needed</>;
  const roles = listRoles(action.approverRoles);
  if (action.approvalAbove === null) return <>{`Needed: another operator with the role ${roles}`}</>;
  return (
    <>
      Needed above <Money amount={action.approvalAbove} currency={currency} />, the rest of your daily limit
    </>
  );
}
