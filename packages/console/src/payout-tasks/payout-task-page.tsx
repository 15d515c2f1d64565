import { getRouteApi, Link } from '@tanstack/react-router';
import type { Action } from '../actions/action.ts';
import { orderStatusWords } from '../format/words.ts';
import { OrderMovesDocument, PayoutTaskDetailDocument } from '../generated/documents.generated.ts';
import { useLive } from '../graphql/use-live.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { Heading } from '../parts/columns.tsx';
import { useDetail } from '../parts/detail-page.tsx';
import { Money } from '../parts/money.tsx';
import { Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useMe } from '../session/use-me.ts';
import { WorkPage } from '../work/work-page.tsx';
import { taskActions } from './task-actions.tsx';
import { Payee, TaskProof } from './task-facts.tsx';
import { TaskNotice } from './task-notice.tsx';
import { stageOf, type TaskDetail, taskStageWords } from './task-state.ts';

const route = getRouteApi('/shell/payout-tasks/$orderNo');
/** The interval in which the page is read again. No stream reports a proof, because it does not change the order. */
const POLL_MS = 5_000;

/** One payout of the task market: whom to pay, until when, and the proof. */
export function PayoutTaskPage() {
  const { orderNo } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const one = useDetail(PayoutTaskDetailDocument, { orderNo, withPersonal }, ({ order }) =>
    order?.__typename === 'Payout' && order.orderNo === orderNo && order.mode === 'MARKET' ? order : null,
  );
  const { found, refresh } = one;
  useLive(OrderMovesDocument, { orderNo }, { onData: refresh, onMissed: refresh });
  usePoll(refresh, found && stageOf(found) !== 'over' ? POLL_MS : null);
  return (
    <WorkPage
      title={`Payout task ${orderNo}`}
      subject={orderNo}
      one={one}
      missing={['There is no such task', 'Check the number. It may be an order that a channel carries out.']}
      show={(task) => ({
        heading: <TaskHeading task={task} />,
        decisions: decisionsOf(task),
        actions: rareActionsOf(task),
        above: <TaskNotice task={task} />,
        main: (
          <>
            <Payee task={task} />
            <TaskProof task={task} />
          </>
        ),
        side: <PayoutFacts task={task} />,
      })}
    />
  );
}

function TaskHeading({ task }: { task: TaskDetail }) {
  const stage = stageOf(task);
  return (
    <Heading kind="Payout task" title={<Money amount={task.amount} currency={task.currency} />}>
      <Status word={stage === 'over' ? orderStatusWords[task.status] : taskStageWords[stage]} />
    </Heading>
  );
}

function PayoutFacts({ task }: { task: TaskDetail }) {
  const { orderNo, merchantId } = task;
  const link = (
    <Link to="/orders/$orderNo" params={{ orderNo }}>
      Open the order
    </Link>
  );
  return (
    <Panel title="Payout" side={link}>
      <Facts
        values={{
          Merchant: (
            <ScreenLink to={`/merchants/${merchantId}`}>
              <span className="mono">{merchantId}</span>
            </ScreenLink>
          ),
          "Merchant's number": <span className="mono">{task.merchantOrderNo}</span>,
          Created: <Time at={task.createdAt} />,
          'Claimed by': task.task?.claimedBy,
          Completed: task.completedAt && <Time at={task.completedAt} />,
          Failure: task.failure,
        }}
      />
    </Panel>
  );
}

/** What makes sense in this state; the first is the usual one. */
function decisionsOf(task: TaskDetail): Action[] {
  const { claim, giveBack, prove, accept, reject } = taskActions(task);
  return {
    available: [claim],
    claimed: [prove, giveBack],
    asked: [prove, giveBack],
    proven: [accept, reject],
    over: [],
  }[stageOf(task)];
}

/** An earlier operator may have paid it, whatever its state is. */
function rareActionsOf(task: TaskDetail): Action[] {
  return stageOf(task) === 'asked' ? [] : [taskActions(task).proveLate];
}
