import { TimeLeft } from '../parts/age.tsx';
import { Notice } from '../parts/notice.tsx';
import { useMe } from '../session/use-me.ts';
import { stageOf, type TaskDetail } from './task-state.ts';

/** What has to happen next, by whom, and until when. */
export function TaskNotice({ task }: { task: TaskDetail }) {
  const { operatorId } = useMe();
  const claimedBy = task.task?.claimedBy;
  const isOwn = claimedBy === operatorId;
  switch (stageOf(task)) {
    case 'available':
      return <Notice tone="info">No operator pays this payout yet. Claim it before you pay.</Notice>;
    case 'claimed':
      return (
        <Notice tone={isOwn ? 'warn' : 'idle'}>
          {isOwn ? 'Pay it and prove it. Time left: ' : `${claimedBy} pays it. Time left: `}
          {task.nextActionAt && (
            <TimeLeft until={task.nextActionAt} over="over, the operator is asked whether it is paid" />
          )}
        </Notice>
      );
    case 'asked':
      return (
        <Notice tone="warn">
          {isOwn
            ? 'Your time is over. Did you pay? Then prove it. If you did not, give the task back: nobody else can claim it before.'
            : `The time of ${claimedBy} is over. Ask whether they paid. If they do not answer and nothing was paid, two operators can give it back.`}
        </Notice>
      );
    case 'proven':
      return (
        <Notice tone="info">
          {isOwn
            ? 'You have proved it. Another operator has to review your proof.'
            : `${claimedBy} says that it is paid. Compare the proof with the bank, then accept or reject it.`}
        </Notice>
      );
    default:
      return null;
  }
}
