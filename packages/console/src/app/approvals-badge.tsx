import { useQuery } from 'urql';
import { ApprovalsMovedDocument, ApprovalsToDecideDocument } from '../generated/documents.generated.ts';
import { approvalNews } from '../graphql/approval-news.ts';
import { useLive } from '../graphql/use-live.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { NavigationBadge } from './navigation-badge.tsx';

/**
 * The number of approvals that wait for this operator. It updates itself, and tells the screens which approval changed.
 */
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
  return <NavigationBadge count={data?.me?.approvalsToDecide ?? 0} what="waiting for you" />;
}
