import { plainWords } from '../format/words.ts';
import type { CaseDetailQuery } from '../generated/documents.generated.ts';
import { Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Timeline } from '../parts/timeline.tsx';

type AuditLog = NonNullable<CaseDetailQuery['auditLog']>;
type AuditEntry = AuditLog['edges'][number]['node'];

/** What operators did about a case, the oldest first, after it was opened. */
export function CaseHistory({ records, openedAt }: { records: readonly AuditEntry[]; openedAt: string }) {
  const acts = records.toReversed().map(({ auditNo, at, action, actor, approver, reason }) => ({
    key: String(auditNo),
    at,
    tone: 'info' as const,
    title: (
      <>
        {plainWords(action)} <span className="soft">by {approver === null ? actor : `${actor} and ${approver}`}</span>
      </>
    ),
    more: reason,
  }));
  const opened = { key: 'opened', at: openedAt, tone: 'warn' as const, title: 'The case was opened' };
  return (
    <Panel title="History" side={<ScreenLink to="/audit">Audit log</ScreenLink>}>
      <Timeline items={[opened, ...acts]} />
    </Panel>
  );
}
