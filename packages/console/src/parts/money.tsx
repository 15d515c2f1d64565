import { groupDigits } from '../format/money.ts';
import styles from './parts.module.css';

/** An amount with its currency, grouped as its country groups. In tables give the column `align: 'end'`. */
export function Money({ amount, currency }: { amount: string; currency: string }) {
  return (
    <span className={styles.money}>
      {groupDigits(amount, currency)}
      <span className={styles.currency}>{currency}</span>
    </span>
  );
}
