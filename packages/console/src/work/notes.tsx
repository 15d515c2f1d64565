import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useClient } from 'urql';
import { sendMutation } from '../actions/send-mutation.ts';
import { AddNoteDocument, type NotePartsFragment } from '../generated/documents.generated.ts';
import { Notice } from '../parts/notice.tsx';
import { Panel } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import { useTyped } from '../session/typed-text.ts';
import styles from './work.module.css';

export interface NotesProps {
  /** Global id of the order, case or merchant. */
  on: string;
  notes: { readonly edges: readonly { readonly node: NotePartsFragment }[]; readonly totalCount: number };
  /** Why this operator cannot write a note; null if they can. */
  blocked: string | null;
  refresh(): void;
}

const LONGEST = 2_000;

/** Notes of operators, the newest first, and a field for another one. */
export function Notes({ on, notes: { edges, totalCount }, blocked, refresh }: NotesProps) {
  return (
    <Panel title="Notes" side={totalCount > 0 ? String(totalCount) : undefined}>
      {blocked === null && <NewNote on={on} refresh={refresh} />}
      {edges.length === 0 && <p className="soft">No notes yet.</p>}
      <ol className={styles.notes}>
        {edges.map(({ node: { noteNo, author, text, createdAt } }) => (
          <li key={noteNo}>
            <div className={styles.noteHead}>
              <strong>{author}</strong> <Time at={createdAt} />
            </div>
            <p className={styles.noteText}>{text}</p>
          </li>
        ))}
      </ol>
      {totalCount > edges.length && <p className="soft">The newest {edges.length} are shown.</p>}
    </Panel>
  );
}

function NewNote({ on, refresh }: { on: string; refresh(): void }) {
  const client = useClient();
  const [text, setText] = useTyped(`note on ${on}`, () => '');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const sent = await sendMutation(client, AddNoteDocument, { on, text });
    setBusy(false);
    setProblem(sent.state === 'refused' ? sent.message : null);
    if (sent.state !== 'done') return;
    setText('');
    refresh();
  };
  return (
    <form className={styles.newNote} onSubmit={(event) => void submit(event)}>
      <Textarea
        label="New note"
        description="Everybody who may see this can read it. It cannot be changed later. No personal data."
        rows={2}
        maxLength={LONGEST}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      <Button type="submit" variant="default" size="compact-sm" disabled={text.trim() === ''} loading={isBusy}>
        Add note
      </Button>
    </form>
  );
}
