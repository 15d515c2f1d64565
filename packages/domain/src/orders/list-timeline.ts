import type { EntityName, MikroORM } from '@mikro-orm/postgresql';
import type { Transfer } from '../core/ledger.ts';
import type { AuditRecord } from '../core/operator.ts';
import type { OrderRef } from '../core/order.ts';
import type { MoneyCase, Payment } from '../core/payment.ts';
import type { Transition } from '../core/transitions.ts';
import type { WalletEntry } from '../core/wallet.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { AuditRecordRow } from '../database/entities/access.ts';
import { ChannelCall } from '../database/entities/channel.ts';
import { MoneyCaseRow, TransferRow, WalletEntryRow } from '../database/entities/ledger.ts';
import { NotificationAttempt, OrderTransition, PaymentRow } from '../database/entities/order.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import type { Scope } from '../lists/scope.ts';
import type { AttemptRecord } from '../notifications/index.ts';

/** One call to a channel, or a callback from it, about an order. */
export interface ChannelCallEntry {
  merchantId: string;
  orderNo: string;
  callId: string;
  channelId: string;
  operation: 'create' | 'query' | 'cancel' | 'callback' | 'refund' | 'query_refund';
  startedAt: number;
  durationMs: number;
  outcome: string;
  detail: string | null;
}

/** An event of an order, at `at` (Unix milliseconds). `id` is unique within the order's timeline. */
export type TimelineEvent = { at: number; id: string } & (
  | { type: 'transition'; event: Transition }
  | { type: 'payment'; event: Payment }
  | { type: 'transfer'; event: Transfer }
  | { type: 'wallet_entry'; event: WalletEntry }
  | { type: 'case'; event: MoneyCase }
  | { type: 'operator_action'; event: AuditRecord }
  | { type: 'channel_call'; event: ChannelCallEntry }
  | { type: 'notification_attempt'; event: AttemptRecord }
);

/** The sources of events, each read by its order. Events of one moment are listed in this sequence. */
const sources: readonly { type: TimelineEvent['type']; entity: EntityName; at: string; id: string }[] = [
  { type: 'transition', entity: OrderTransition, at: 'at', id: `lpad(t.seq::text, 9, '0')` },
  { type: 'payment', entity: PaymentRow, at: 'received_at', id: `lpad(t.seq::text, 9, '0')` },
  { type: 'transfer', entity: TransferRow, at: 'created_at', id: `lpad(t.transfer_no::text, 15, '0')` },
  { type: 'wallet_entry', entity: WalletEntryRow, at: 'created_at', id: `lpad(t.entry_no::text, 15, '0')` },
  { type: 'case', entity: MoneyCaseRow, at: 'opened_at', id: `lpad(t.case_no::text, 15, '0')` },
  { type: 'operator_action', entity: AuditRecordRow, at: 'at', id: `lpad(t.audit_no::text, 15, '0')` },
  { type: 'channel_call', entity: ChannelCall, at: 'started_at', id: 't.call_id' },
  {
    type: 'notification_attempt',
    entity: NotificationAttempt,
    at: 'started_at',
    id: `t.status || ' ' || lpad(t.attempt::text, 9, '0')`,
  },
];

/**
 * A page of each order's events in one list, the oldest first. It includes operators' actions on the order or on one
 * of its cases.
 */
export function readTimelines(
  { database }: { database: Database },
  scope: Scope,
  orders: readonly OrderRef[],
  page: PageRequest<'timeline'>,
): Promise<Page<TimelineEvent>[]> {
  return readPages<TimelineEvent & { rank: number }, 'timeline'>(
    database.reading,
    {
      table: `(${sources.map((source, rank) => sourceSql(database.orm, source, rank)).join(' union all ')})`,
      columns: 't.id, t.type, round(extract(epoch from t.at) * 1000)::float8 as at, t.rank, t.event',
      parent: ['merchant_id', 'order_no'],
    },
    scope,
    orders.map(({ merchantId, orderNo }) => [merchantId, orderNo]),
    page,
  );
}

function sourceSql(orm: MikroORM, { type, entity, at, id }: (typeof sources)[number], rank: number): string {
  const table = orm.getMetadata().get(entity).tableName;
  const row = `(select to_json(e) from (select ${columnsOf(orm, entity)}) e)`;
  const what = `'${type}' as type, ${rank} as rank, ${id} as id, t.${at} as at, ${row} as event`;
  if (type !== 'operator_action') return `select t.merchant_id, t.order_no, ${what} from ${table} t`;
  return `select t.merchant_id, t.subject as order_no, ${what} from ${table} t
    union all select t.merchant_id, c.order_no, ${what} from money_case c
      join ${table} t on t.merchant_id = c.merchant_id and t.subject = 'case ' || c.case_no where c.order_no is not null`;
}
