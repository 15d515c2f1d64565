import { Modal } from '@mantine/core';
import { plainWords } from '../format/words.ts';
import type { AuditRowFragment } from '../generated/documents.generated.ts';
import { Facts } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';
import styles from './audit.module.css';
import { type DetailRow, readDetail } from './read-detail.ts';

/** One record of the audit log: who, why, and each field before and after. */
export function AuditRecord({ record, close }: { record: AuditRowFragment; close(): void }) {
  const { action, at, actor, approver, subject, merchantId, auditNo, reason, batchNo } = record;
  const detail = record.detail ? readDetail(record.detail) : null;
  const isOrder = /^P[IO][0-9A-Z]{10,}$/.test(subject);
  return (
    <Modal opened onClose={close} title={plainWords(action)} size="lg">
      <div className={styles.record}>
        <Facts
          values={{
            When: <Time at={at} look="exact" />,
            Who: approver === null ? actor : `${actor}, approved by ${approver}`,
            Reason: reason,
            About: isOrder ? <ScreenLink to={`/orders/${subject}`}>{subject}</ScreenLink> : subject,
            Merchant: <span className="mono">{merchantId}</span>,
            Number: <span className="figures">{auditNo}</span>,
            'Ledger batch': <span className="figures">{batchNo}</span>,
          }}
        />
        {detail && detail.changes.length > 0 && <Changes rows={detail.changes} />}
        {detail && detail.others.length > 0 && (
          <Facts
            values={Object.fromEntries(
              detail.others.map(([field, value]) => [
                plainWords(field),
                <span key={field} className={styles.value}>
                  {value}
                </span>,
              ]),
            )}
          />
        )}
        {!record.detail && <p className="soft">The details may contain personal data. Viewers do not see them.</p>}
      </div>
    </Modal>
  );
}

function Changes({ rows }: { rows: readonly DetailRow[] }) {
  return (
    <div className={styles.wide}>
      <table className={styles.changes}>
        <caption className="hidden-visually">What changed</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ field, before, after }) => (
            <tr key={field} data-changed={before !== after}>
              <th scope="row">{plainWords(field)}</th>
              <td>{before ?? <span className="soft">none</span>}</td>
              <td>{after ?? <span className="soft">none</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
