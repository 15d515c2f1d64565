import { type ChannelAccess, canRefund } from '../../channels/index.ts';
import type { OperatorContext } from '../../core/operator-rights.ts';
import type { Order, OrderRef } from '../../core/order.ts';
import type { Refused } from '../../core/rejection.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import type { MovementLimit } from '../../ledger/index.ts';
import { unrestricted } from '../../lists/scope.ts';
import { type Assignment, loadAssignments, subjectOf, type WorkItem } from '../../work/index.ts';
import type { Named } from '../last-change.ts';
import type { ApprovalRules } from '../operation.ts';
import { serviceKeySubject } from '../operations/service-keys.ts';
import { notifiedOrdersSql, ordersOfCasesSql, usedTodaySql, withAccessSql } from '../queries.ts';
import { problemOfSignIn } from '../sign-in.ts';
import { loadWaitingRequests, type WaitingRequests } from '../waiting-requests.ts';
import type { Noun } from './noun.ts';
import { hasName, nameOf } from './noun-name.ts';
import { workItemOf } from './work-actions.ts';

/** The facts, besides the objects themselves, that decide which actions an operator may take. */
export interface ActionContext extends MovementLimit, Pick<ChannelAccess, 'adapters'> {
  now: number;
  /** Why the operator's sign-in cannot be used for operations of two people; null: it can. */
  signInProblem: Refused | null;
  /** What the operator has moved alone today, by currency. */
  movedToday: ReadonlyMap<string, string>;
  /** The orders of cases, by merchant and number. */
  orders: ReadonlyMap<string, Order>;
  /** Channels of cases whose adapter can refund payments. */
  refunding: ReadonlySet<string>;
  /** Orders with a notification, by merchant and number. */
  notified: ReadonlySet<string>;
  /** Operators with a token or an open invitation besides the caller's own token. */
  withAccess: ReadonlySet<string>;
  /** Who has which order or case. */
  assignmentOf(item: WorkItem): Assignment | null;
  /** Requests that wait about the objects. */
  waiting: WaitingRequests;
}

export type ActionAccess = DatabaseAccess & ApprovalRules & Pick<ChannelAccess, 'adapters' | 'channels'>;

const keyOf = ({ merchantId, orderNo }: OrderRef): string => `${merchantId} ${orderNo}`;

/** Loads the facts for all objects together: at most one statement for each kind of fact. */
export async function loadActionContext(
  domain: ActionAccess,
  operator: OperatorContext,
  nouns: readonly Noun[],
): Promise<ActionContext> {
  const { approvalLimit, adapters } = domain;
  const ordersOf = nouns.flatMap((noun) => (noun.type === 'order' ? [noun.order] : []));
  const cases = nouns.flatMap(({ type, ...noun }) =>
    'found' in noun && noun.found.orderNo !== null ? [noun.found] : [],
  );
  const operators = nouns.flatMap((noun) => (noun.type === 'operator' ? [noun.operator.operatorId] : []));
  const movesMoney = nouns.some(({ type }) => type === 'order' || type === 'case' || type === 'wallet');
  const keys = (of: readonly { merchantId: string; orderNo: string | null }[]) => [
    of.map(({ merchantId }) => merchantId),
    of.map(({ orderNo }) => orderNo),
  ];
  const none: never[] = [];
  const read = async <Row extends object>(isWanted: boolean, text: string, values: unknown[]): Promise<Row[]> =>
    isWanted ? (await domain.database.pool.query<Row>(text, values)).rows : none;
  const { orm } = domain.database;
  const items = nouns.map(workItemOf).filter((item) => item !== null && item.type !== 'merchant');
  const channelIds = nouns.flatMap((noun) => (noun.type === 'case' ? [noun.found.channelId] : []));
  const [signInProblem, moved, orders, notified, withAccess, assigned, refunding, waiting] = await Promise.all([
    problemOfSignIn(domain, operator),
    read<{ currency: string; amount: string }>(movesMoney, usedTodaySql, [operator.operatorId]),
    read<Order>(cases.length > 0, ordersOfCasesSql(orm), keys(cases)),
    read<OrderRef>(ordersOf.length > 0, notifiedOrdersSql, keys(ordersOf)),
    read<{ operatorId: string }>(operators.length > 0, withAccessSql, [operators, operator.tokenId]),
    items.length > 0 ? loadAssignments(domain, unrestricted, items) : [],
    refundingAmong(domain, channelIds),
    loadWaitingRequests(domain, nouns.flatMap(requestable)),
  ]);
  const nameOfItem = (item: WorkItem): string => `${item.merchantId} ${subjectOf(item)}`;
  const assignments = new Map(items.map((item, i) => [nameOfItem(item), assigned[i] ?? null]));
  return {
    approvalLimit,
    adapters,
    now: Date.now(),
    signInProblem,
    movedToday: new Map(moved.map(({ currency, amount }) => [currency, amount])),
    orders: new Map(orders.map((order) => [keyOf(order), order])),
    refunding,
    notified: new Set(notified.map(keyOf)),
    withAccess: new Set(withAccess.map(({ operatorId }) => operatorId)),
    assignmentOf: (item) => assignments.get(nameOfItem(item)) ?? null,
    waiting,
  };
}

/** The subjects about which a request may wait. */
function requestable(noun: Noun): Named[] {
  if (!hasName(noun)) return [];
  const named = nameOf(noun);
  return noun.type === 'merchant' ? [named, { ...named, subject: serviceKeySubject }] : [named];
}

async function refundingAmong(domain: ActionAccess, channelIds: readonly string[]): Promise<Set<string>> {
  const ids = [...new Set(channelIds)];
  const can = await Promise.all(ids.map((channelId) => canRefund(domain, channelId)));
  return new Set(ids.filter((_, i) => can[i]));
}
