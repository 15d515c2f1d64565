import { Migration } from '@mikro-orm/migrations';
import { makeConcurrently } from './concurrent-indexes.ts';

/**
 * Lets the service query a failed refund again (ADR 0019), and finds due refunds per channel. The previous version
 * queries such a refund more often than needed, because it does not know the new wait.
 */
export class RefundsByChannel extends Migration {
  // The index is created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(checks);
    for (const statement of makeConcurrently(index, [])) this.addSql(statement);
  }
}

// Not validated, because stricter constraints have checked the existing rows.
const checks = `alter table refund
  drop constraint if exists refund_check, drop constraint if exists refund_check2,
  drop constraint if exists refund_next_action_of_state, drop constraint if exists refund_ended_at_of_state,
  add constraint refund_next_action_of_state check (case state when 'refunded' then next_action is null
    when 'failed' then next_action is distinct from 'send' else next_action is not null end) not valid,
  add constraint refund_ended_at_of_state check ((ended_at is null) = (state in ('requested', 'accepted'))) not valid`;

const index = {
  name: 'refund_due_by_channel',
  table: 'refund',
  what: '(channel_id, next_action_at) where next_action_at is not null',
};
