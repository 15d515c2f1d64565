import { useMe } from '../session/use-me.ts';

/** To whom work is assigned, in a list. */
export function Assignee({ assignment }: { assignment: { readonly assignee: string } | null }) {
  const { operatorId } = useMe();
  if (!assignment) return <span className="soft">–</span>;
  return assignment.assignee === operatorId ? <strong>You</strong> : assignment.assignee;
}
