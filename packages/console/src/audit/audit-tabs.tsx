import { Link } from '@tanstack/react-router';
import styles from '../list/views.module.css';

/** The log of the operators' actions, and what the audit of the ledger found. */
export function AuditTabs({ current }: { current: 'log' | 'findings' }) {
  return (
    <nav className={styles.views} aria-label="Audit">
      <Link to="/audit" data-current={current === 'log'}>
        Actions of operators
      </Link>
      <Link to="/audit/findings" data-current={current === 'findings'}>
        Findings in the ledger
      </Link>
    </nav>
  );
}
