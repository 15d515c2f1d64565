import { Button, CloseButton, Popover, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { messageOf } from '../format/error-words.ts';
import {
  DeleteViewDocument,
  SavedViewsDocument,
  SaveViewDocument,
  type Screen,
} from '../generated/documents.generated.ts';
import { Icon } from '../parts/icon.tsx';
import { Failure, Notice } from '../parts/notice.tsx';
import styles from './list.module.css';
import { parseSearch, stringifySearch } from './search-params.ts';

interface SavedViewsProps {
  screen: Screen;
  /** The filters of the URL. A view does not include the page of the list. */
  filters: Readonly<Record<string, unknown>>;
}

/** Named filters of a screen, both private and shared ones: opens, saves and deletes them. */
export function SavedViews({ screen, filters }: SavedViewsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus width={300}>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="bookmark" />} onClick={() => setOpen(!isOpen)}>
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Views screen={screen} filters={filters} close={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Views({ screen, filters, close }: SavedViewsProps & { close(): void }) {
  const [{ data, error }, read] = useQuery({ query: SavedViewsDocument, variables: { screen } });
  const [, remove] = useMutation(DeleteViewDocument);
  const [problem, setProblem] = useState<string | null>(null);
  const navigate = useNavigate();
  const refresh = () => read({ requestPolicy: 'network-only' });
  const drop = async (viewId: string) => {
    const { data: answer, error: failure } = await remove({ viewId });
    const refused = answer?.deleteView && 'message' in answer.deleteView ? answer.deleteView.message : null;
    setProblem(failure ? messageOf(failure) : refused);
    refresh();
  };
  const open = (query: string) => {
    void navigate({ to: '.', search: parseSearch(query) as never });
    close();
  };
  const views = data?.savedViews ?? [];
  return (
    <div className={styles.editor}>
      {error && <Failure error={error} retry={refresh} />}
      {data && views.length === 0 && (
        <span className="soft">A saved view keeps the filters of this list by a name.</span>
      )}
      <ul className={styles.views}>
        {views.map(({ viewId, name, query, shared, ownerId, mayChange }) => (
          <li key={viewId}>
            <button type="button" className={styles.view} onClick={() => open(query)}>
              {name}
              {shared && <span className="soft"> shared by {ownerId}</span>}
            </button>
            {mayChange && (
              <CloseButton size="xs" aria-label={`Delete the view ${name}`} onClick={() => void drop(viewId)} />
            )}
          </li>
        ))}
      </ul>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      <SaveForm screen={screen} filters={filters} onSaved={refresh} />
    </div>
  );
}

function SaveForm({ screen, filters, onSaved }: SavedViewsProps & { onSaved(): void }) {
  const [, save] = useMutation(SaveViewDocument);
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = { screen, name: name.trim(), query: stringifySearch({ ...filters }).slice(1), shared: isShared };
    const { data, error } = await save({ input });
    if (error) return setProblem(messageOf(error));
    if (data?.saveView && 'message' in data.saveView) return setProblem(data.saveView.message);
    setProblem(null);
    setName('');
    return onSaved();
  };
  return (
    <form className={styles.editor} onSubmit={(event) => void submit(event)}>
      <TextInput
        label="Save these filters as"
        value={name}
        error={problem}
        maxLength={80}
        required
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <label className={styles.check}>
        <input type="checkbox" checked={isShared} onChange={() => setShared(!isShared)} />
        Share it. It must hold no personal data.
      </label>
      <Button type="submit" size="compact-sm">
        Save
      </Button>
    </form>
  );
}
