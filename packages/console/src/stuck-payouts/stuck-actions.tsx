import { ActionButton } from '../actions/action-button.tsx';
import type { StuckPayoutRowFragment } from '../generated/documents.generated.ts';
import { refreshOrder, resolvePayout } from '../orders/order-actions.tsx';
import styles from './stuck-payouts.module.css';

/** What can be done about a stuck payout in its row. */
export function StuckActions({ row, refresh }: { row: StuckPayoutRowFragment; refresh(): void }) {
  return (
    <span className={styles.actions}>
      <ActionButton action={{ ...refreshOrder(row), label: 'Ask the channel' }} size="compact-xs" onDone={refresh} />
      <ActionButton action={{ ...resolvePayout(row), label: 'Resolve' }} size="compact-xs" onDone={refresh} />
    </span>
  );
}
