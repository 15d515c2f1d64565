import type { ReactNode } from 'react';
import type { Action } from '../actions/action.ts';
import { ActionBar, ActionMenu } from '../actions/action-button.tsx';
import { blockedBy } from '../actions/allowed.tsx';
import { useWhyNot } from '../actions/operation.ts';
import type { FilePartsFragment } from '../generated/documents.generated.ts';
import { Columns } from '../parts/columns.tsx';
import { DetailPage, type DetailPageProps } from '../parts/detail-page.tsx';
import { assignWork, type WorkItem } from './assign-work.tsx';
import { Files } from './files.tsx';
import { Notes, type NotesProps } from './notes.tsx';
import { TakeButton } from './take-button.tsx';

/** Work that one operator takes, with notes, and files if it can have some. */
interface NotedWork extends WorkItem {
  readonly notes: NotesProps['notes'];
  readonly files?: readonly FilePartsFragment[];
}

/** What a page shows of a piece of work. */
interface ShownWork {
  readonly heading: ReactNode;
  /** Buttons of what makes sense now; the first is the usual one. */
  readonly decisions?: readonly Action[];
  /** The rest, in the menu. */
  readonly actions?: readonly Action[];
  readonly above: ReactNode;
  readonly main?: ReactNode;
  readonly belowNotes?: ReactNode;
  readonly side: ReactNode;
}

interface WorkPageProps<Data, Found> extends DetailPageProps<Data, Found, ShownWork> {
  /** Subject in audit records. */
  subject: string;
}

/** The page of one piece of work: take it, decide about it, write notes, add files. */
export function WorkPage<Data, Found extends NotedWork>({ subject, show, ...page }: WorkPageProps<Data, Found>) {
  const whyNot = useWhyNot();
  const { refresh } = page.one;
  const showWork = (found: Found, data: Data) => {
    const { heading, decisions = [], actions = [], above, main, belowNotes, side } = show(found, data);
    const { id, notes, files, assignment } = found;
    const blocked = found.actions ? blockedBy(found.actions, 'ADD_NOTE') : whyNot('addNote');
    return {
      heading,
      actions: (
        <>
          <TakeButton on={id} assignment={assignment} actions={found.actions} refresh={refresh} />
          <ActionBar actions={decisions} onDone={refresh} />
          <ActionMenu actions={[...actions, assignWork(found, subject)]} onDone={refresh} />
        </>
      ),
      body: (
        <>
          {above}
          <Columns
            main={
              <>
                {main}
                <Notes on={id} notes={notes} blocked={blocked} refresh={refresh} />
                {belowNotes}
              </>
            }
            side={
              <>
                {side}
                {files && <Files on={blocked === null ? id : null} files={files} refresh={refresh} />}
              </>
            }
          />
        </>
      ),
    };
  };
  return <DetailPage {...page} show={showWork} />;
}
