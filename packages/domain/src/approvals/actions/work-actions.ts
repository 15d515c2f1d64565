import type { OperatorContext } from '../../core/operator-rights.ts';
import {
  type Assignment,
  problemOfReleasing,
  problemOfTaking,
  problemOfWorker,
  type WorkItem,
} from '../../work/index.ts';
import { type AllowedAction, actionAlone, type Noun } from './noun.ts';

/**
 * Whether the operator may add notes and change assignments, with the same result as the mutations. `now`: the current
 * assignment.
 */
export function actionsOfWork(operator: OperatorContext, item: WorkItem, now: Assignment | null): AllowedAction[] {
  const unentitled = problemOfWorker(operator);
  const note = actionAlone('addNote', unentitled);
  if (item.type === 'merchant') return [note];
  return [
    note,
    actionAlone('takeWork', unentitled ?? problemOfTaking(operator, now)),
    actionAlone('releaseWork', unentitled ?? problemOfReleasing(operator, now)),
    actionAlone('assignWork', unentitled),
  ];
}

/** The part of an object on which operators work: an order or a case; null: none. */
export function workItemOf(noun: Noun): WorkItem | null {
  if (noun.type === 'order') return { type: 'order', merchantId: noun.order.merchantId, orderNo: noun.order.orderNo };
  if (noun.type === 'case') return { type: 'case', merchantId: noun.found.merchantId, caseNo: noun.found.caseNo };
  if (noun.type === 'break')
    return { type: 'break', merchantId: noun.difference.merchantId, breakNo: noun.difference.breakNo };
  return noun.type === 'merchant' ? { type: 'merchant', merchantId: noun.merchant.merchantId } : null;
}
