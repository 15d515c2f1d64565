import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { ActionBar, ActionMenu } from '../actions/action-button.tsx';
import { blockedBy } from '../actions/allowed.tsx';
import { useMe } from '../app/use-me.ts';
import { orderStatusWords } from '../format/words.ts';
import { OrderMovesDocument, PayoutTaskDetailDocument } from '../generated/documents.generated.ts';
import { useLive } from '../graphql/use-live.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { Columns, Heading } from '../parts/columns.tsx';
import { Money } from '../parts/money.tsx';
import { Failure } from '../parts/notice.tsx';
import { Empty, Facts, Page, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { assignWork } from '../work/assign-work.tsx';
import { Files } from '../work/files.tsx';
import { Notes } from '../work/notes.tsx';
import { TakeButton } from '../work/take-button.tsx';
import { taskActions } from './task-actions.tsx';
import { Payee, TaskProof } from './task-facts.tsx';
import { HowItStands } from './task-notice.tsx';
import { stageOf, type TaskDetail, taskStageWords } from './task-state.ts';

const route = getRouteApi('/shell/payout-tasks/$orderNo');
/** A proof moves no order, so that no stream reports it. */
const POLL_MS = 5_000;

/** One payout of the task market: whom to pay, until when, and the proof. */
export function PayoutTaskPage() {
  const { orderNo } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const [{ data, error, fetching }, read] = useQuery({
    query: PayoutTaskDetailDocument,
    variables: { orderNo, withPersonal },
  });
  const refresh = () => read({ requestPolicy: 'network-only' });
  useLive(OrderMovesDocument, { orderNo }, { onData: refresh, onMissed: refresh });
  const found = data?.order;
  const task = found?.__typename === 'Payout' && found.orderNo === orderNo && found.mode === 'MARKET' ? found : null;
  usePoll(refresh, task && stageOf(task) !== 'over' ? POLL_MS : null);
  if (!task)
    return (
      <Page title={`Payout task ${orderNo}`}>
        {error && <Failure error={error} retry={refresh} />}
        {!error && (
          <Panel>
            {fetching ? (
              <p className="soft">Loading …</p>
            ) : (
              <Empty title="There is no such task">
                Check the number. It may be an order that a channel carries out.
              </Empty>
            )}
          </Panel>
        )}
      </Page>
    );
  return <Task task={task} error={error && <Failure error={error} retry={refresh} />} refresh={refresh} />;
}

function Task({ task, error, refresh }: { task: TaskDetail; error: ReactNode; refresh(): void }) {
  const { orderNo, amount, currency, status } = task;
  const stage = stageOf(task);
  const link = (
    <Link to="/orders/$orderNo" params={{ orderNo }}>
      Open the order
    </Link>
  );
  return (
    <Page
      title={`Payout task ${orderNo}`}
      heading={
        <Heading kind="Payout task" title={<Money amount={amount} currency={currency} />}>
          <Status word={stage === 'over' ? orderStatusWords[status] : taskStageWords[stage]} />
        </Heading>
      }
      actions={<TaskButtons task={task} refresh={refresh} />}
    >
      {error}
      <HowItStands task={task} />
      <Columns
        main={
          <>
            <Payee task={task} />
            <TaskProof task={task} />
            <Notes on={task.id} notes={task.notes} blocked={blockedBy(task.actions, 'ADD_NOTE')} refresh={refresh} />
          </>
        }
        side={
          <>
            <Panel title="Payout" side={link}>
              <Facts
                values={{
                  Merchant: (
                    <ScreenLink to={`/merchants/${task.merchantId}`}>
                      <span className="mono">{task.merchantId}</span>
                    </ScreenLink>
                  ),
                  "Merchant's number": <span className="mono">{task.merchantOrderNo}</span>,
                  Created: <Time at={task.createdAt} />,
                  'Claimed by': task.task?.claimedBy,
                  Completed: task.completedAt && <Time at={task.completedAt} />,
                  Failure: task.failureReason,
                }}
              />
            </Panel>
            <Files
              on={blockedBy(task.actions, 'ADD_NOTE') === null ? task.id : null}
              files={task.files}
              refresh={refresh}
            />
          </>
        }
      />
    </Page>
  );
}

/** What makes sense in this state; the first is the usual one. */
function TaskButtons({ task, refresh }: { task: TaskDetail; refresh(): void }) {
  const { id, orderNo, assignment, actions } = task;
  const { claim, giveBack, prove, accept, reject } = taskActions(task);
  const shown = {
    available: [claim],
    claimed: [prove, giveBack],
    proven: [accept, reject],
    over: [],
  }[stageOf(task)];
  return (
    <>
      <TakeButton on={id} assignment={assignment} actions={actions} refresh={refresh} />
      <ActionBar actions={shown} onDone={refresh} />
      <ActionMenu actions={[assignWork(task, orderNo)]} onDone={refresh} />
    </>
  );
}
