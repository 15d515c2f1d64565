import { useMe } from '../app/use-me.ts';

/** Who has taken a piece of work, in a list. */
export function Assignee({ assignment }: { assignment: { readonly assignee: string } | null }) {
  const { operatorId } = useMe();
  if (!assignment) return <span className="soft">–</span>;
  return assignment.assignee === operatorId ? <strong>You</strong> : assignment.assignee;
}
