import { useQuery } from 'urql';
import { OpenBreaksDocument } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { useMe } from '../session/use-me.ts';
import { NavigationBadge } from './navigation-badge.tsx';

/** How often the breaks are counted, in milliseconds. */
const POLL_MS = 60_000;

/** How many breaks are open, for those who decide about them. */
export function OpenBreaksBadge() {
  const pause = !useMe().roles.includes('FINANCE');
  const [{ data }, read] = useQuery({ query: OpenBreaksDocument, pause });
  usePoll(() => read({ requestPolicy: 'network-only' }), pause ? null : POLL_MS);
  return <NavigationBadge count={data?.breaks?.totalCount ?? 0} what="open breaks" />;
}
