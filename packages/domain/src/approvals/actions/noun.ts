import type { ReturnWay } from '../../cases/index.ts';
import type { ChannelRecord } from '../../channels/index.ts';
import type {
  FeeRuleRecord,
  MerchantKeyRecord,
  MerchantRecord,
  OperatorRecord,
  RouteRecord,
} from '../../configuration/index.ts';
import type { Approval } from '../../core/approval.ts';
import type { Notification } from '../../core/notification.ts';
import type { Role } from '../../core/operator-rights.ts';
import type { Order } from '../../core/order.ts';
import type { MoneyCase } from '../../core/payment.ts';
import type { Refused } from '../../core/rejection.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { WalletRecord } from '../../ledger/index.ts';
import type { Break } from '../../reconciliation/index.ts';
import type { SettlementCycle } from '../../settlement/index.ts';
import type { ReadInput } from '../operation.ts';
import type { OperationName } from '../operations.ts';

/** An object that an operator sees, and for which the console lists the actions that the operator may take. */
export type Noun =
  | { type: 'order'; order: Order }
  | { type: 'case'; found: MoneyCase }
  | { type: 'break'; difference: Break }
  | { type: 'notification'; notification: Pick<Notification, 'merchantId' | 'orderNo' | 'status'> }
  | { type: 'merchant'; merchant: Pick<MerchantRecord, 'merchantId' | 'status' | 'notificationsPaused'> }
  | { type: 'wallet'; wallet: WalletRecord }
  | { type: 'channel'; channel: Pick<ChannelRecord, 'channelId' | 'adapter' | 'baseUrl' | 'enabled'> }
  | { type: 'operator'; operator: Pick<OperatorRecord, 'operatorId' | 'roles' | 'enabled' | 'externalId'> }
  | { type: 'merchant_key'; key: Pick<MerchantKeyRecord, 'merchantId' | 'keyId' | 'expiresAt'> }
  | {
      type: 'fee_rule';
      rule: Pick<FeeRuleRecord, 'merchantId' | 'kind' | 'bankCode' | 'percent' | 'fixed' | 'beginsAt'>;
    }
  | { type: 'route'; route: Pick<RouteRecord, 'merchantId' | 'routeNo' | 'kind' | 'channelId'> }
  | { type: 'settlement'; settlement: Pick<Settlement, 'merchantId' | 'settlementNo' | 'state' | 'amount'> }
  | { type: 'settlement_cycle'; cycle: Pick<SettlementCycle, 'merchantId'> }
  | { type: 'approval'; approval: Approval };

/** The mutations that decide an approval, besides those of the table of operations. */
export const approvalActions = ['approve', 'reject', 'withdraw'] as const;

/** The mutations of everyday work, which decide nothing. */
export const workActions = ['addNote', 'takeWork', 'releaseWork', 'assignWork'] as const;

export type ActionName = OperationName | (typeof approvalActions)[number] | (typeof workActions)[number];

/** Whether an operator may do something with a noun now. */
export interface AllowedAction {
  name: ActionName;
  /** Null: it is allowed. */
  refused: Refused | null;
  /** The operation is stored until a second operator approves it. */
  needsApproval: boolean;
  /** The roles that may approve the operation, if it needs an approval. */
  approverRoles: readonly Role[];
  /** For `returnCase`: by hand or by the channel. Null for all other actions. */
  way: ReturnWay | null;
  /** Decimal text. Above this amount a second operator has to approve. Null: the amount does not matter. */
  approvalAbove: string | null;
}

/** An operation on a noun, with inputs as they could be sent. It is possible if one of them is. */
export interface Candidate {
  name: OperationName;
  inputs: readonly ReadInput[];
  /** A refusal that follows from rows which the object does not contain. */
  refused?: Refused | null;
  way?: ReturnWay;
  /** The subject of its request, where this is not the noun. Null: it is chosen with the input. */
  subject?: string | null;
}

/** An action that one operator does alone; `refused`: why they may not. */
export function actionAlone(name: ActionName, refused: Refused | null): AllowedAction {
  return { name, refused, needsApproval: false, approverRoles: [], way: null, approvalAbove: null };
}
