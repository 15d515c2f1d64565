import { useQuery } from 'urql';
import { ApprovalsMovedDocument, ApprovalsToDecideDocument } from '../generated/documents.generated.ts';
import { useLive } from '../graphql/use-live.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { approvalNews } from './approval-news.ts';
import styles from './approvals.module.css';

/** The API counts to here. */
const MOST = 100;

/** How many approvals wait for this operator. It moves by itself, and passes on to the screens what moved. */
export function ApprovalsBadge() {
  const [{ data }, read] = useQuery({ query: ApprovalsToDecideDocument });
  const soon = useSoon(() => read({ requestPolicy: 'network-only' }));
  const note = (approvalId: string | null) => {
    approvalNews.set({ approvalId });
    soon();
  };
  useLive(
    ApprovalsMovedDocument,
    {},
    { onData: ({ approvalChanged }) => note(approvalChanged?.approvalId ?? null), onMissed: () => note(null) },
  );
  const count = data?.me?.approvalsToDecide ?? 0;
  if (count === 0) return null;
  return (
    <span className={styles.badge}>
      {count >= MOST ? `${MOST}+` : count}
      <span className="hidden-visually"> waiting for you</span>
    </span>
  );
}
