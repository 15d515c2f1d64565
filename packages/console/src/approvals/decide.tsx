import { Button, Kbd, Tooltip } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useQuery } from 'urql';
import type { Action } from '../actions/action.ts';
import { openAction } from '../actions/open-action.ts';
import { type ApprovalDetailPartsFragment, ApprovalListDocument } from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { useShortcuts } from '../parts/shortcuts.ts';
import { approvalActions } from './approval-actions.tsx';
import styles from './approvals.module.css';

interface DecideProps {
  approval: ApprovalDetailPartsFragment;
  refresh(): void;
}

/** The decision: by buttons, which stay in sight, or by keys. */
export function Decide({ approval, refresh }: DecideProps) {
  const next = useNext(approval.approvalId);
  const navigate = useNavigate();
  const { approve, reject, withdraw } = approvalActions(approval);
  const isPending = approval.state === 'PENDING';
  const isOwn = approval.mayWithdraw;
  const goOn = () =>
    next === null
      ? navigate({ to: '/approvals' as '/' })
      : navigate({ to: '/approvals/$approvalId' as '/', params: { approvalId: next } as never });
  const start = (action: Action) => {
    if (isPending && !action.blocked) openAction(action, refresh);
    return true;
  };
  useShortcuts((key) => {
    if (key === 'a') return start(approve);
    if (key === 'r') return start(reject);
    if (key === 'w') return start(withdraw);
    if (key === 'n') return void goOn() === undefined;
    return false;
  });
  const buttons = !isPending ? [] : isOwn ? [withdraw] : [approve, reject];
  return (
    <div className={styles.decide}>
      {buttons.map((action) => (
        <DecideButton key={action.label} action={action} start={start} />
      ))}
      <Button variant="subtle" onClick={() => void goOn()} rightSection={<Key name="n" />} aria-keyshortcuts="n">
        {next === null ? 'All approvals' : 'Next that waits for you'}
      </Button>
    </div>
  );
}

function DecideButton({ action, start }: { action: Action; start(action: Action): boolean }) {
  const blocked = action.blocked ?? null;
  const isMain = action.operation === 'approve';
  const key = action.label.charAt(0).toLowerCase();
  return (
    <Tooltip label={blocked} disabled={blocked === null} events={{ hover: true, focus: true, touch: true }}>
      <Button
        variant={isMain ? 'filled' : 'default'}
        data-disabled={blocked !== null || undefined}
        aria-disabled={blocked !== null || undefined}
        rightSection={<Key name={key} />}
        aria-keyshortcuts={key}
        onClick={() => start(action)}
      >
        {action.label}
      </Button>
    </Tooltip>
  );
}

function Key({ name }: { name: string }) {
  return (
    <Kbd size="xs" aria-hidden="true">
      {name}
    </Kbd>
  );
}

/** The next approval that this operator may decide; null if none waits. */
function useNext(approvalId: string): string | null {
  const [{ data }, read] = useQuery({
    query: ApprovalListDocument,
    variables: { filter: { waitingForMe: true }, first: 50 },
  });
  useApprovalNews(useSoon(() => read({ requestPolicy: 'network-only' })));
  const waiting = (data?.approvals?.edges ?? []).map(({ node }) => node);
  const at = waiting.findIndex((one) => one.approvalId === approvalId);
  const others = [...waiting.slice(at + 1), ...waiting.slice(0, Math.max(0, at))];
  return others[0]?.approvalId ?? null;
}
