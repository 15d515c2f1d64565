import { plainWords } from '../format/words.ts';
import type { ReconciliationActFragment } from '../generated/documents.generated.ts';
import { Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Timeline, type TimelineItem } from '../parts/timeline.tsx';
import styles from './reconciliation.module.css';

interface HistoryProps {
  records: { readonly edges: readonly { readonly node: ReconciliationActFragment }[] } | null | undefined;
  subject: string;
  /** What happened by itself, such as that a break was found. */
  events?: readonly TimelineItem[];
}

/** What happened and what operators did, the oldest first. */
export function ReconciliationHistory({ records, subject, events = [] }: HistoryProps) {
  const acts = (records?.edges ?? []).map(({ node: { auditNo, at, action, actor, approver, reason } }) => ({
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
  const items = [...events, ...acts].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const log = (
    <ScreenLink to="/audit" search={{ subject }}>
      Audit log
    </ScreenLink>
  );
  return (
    <Panel title="History" side={log}>
      {items.length === 0 ? <p className={`${styles.text} soft`}>Nothing was done yet.</p> : <Timeline items={items} />}
    </Panel>
  );
}
