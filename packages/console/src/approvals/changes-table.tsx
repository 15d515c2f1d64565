import type { ApprovalDetailQuery } from '../generated/documents.generated.ts';
import styles from './approvals.module.css';
import { TypedValue } from './typed-value.tsx';

type Detail = NonNullable<ApprovalDetailQuery['approval']>;
type Change = NonNullable<Detail['changes']>[number];

/** What would change: each value now, and afterwards. On a phone one below the other. */
export function ChangesTable({ changes, subject }: { changes: readonly Change[]; subject: string }) {
  return (
    <table className={styles.changes}>
      <caption className="hidden-visually">What approving changes</caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Now</th>
          <th scope="col">Afterwards</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ of, field, label, before, after }) => (
          <tr key={`${of} ${field}`}>
            <th scope="row">
              {label}
              <span className="soft">{of ?? subject}</span>
            </th>
            <td data-label="Now">
              <TypedValue value={before} />
            </td>
            <td data-label="Afterwards" className={styles.after}>
              <TypedValue value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
