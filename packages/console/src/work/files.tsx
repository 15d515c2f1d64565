import { Button } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import type { FilePartsFragment } from '../generated/documents.generated.ts';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import { Panel } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import { FILE_TYPES, saveFile, uploadFile } from '../session/send-file.ts';
import styles from './work.module.css';

interface FilesProps {
  /** Global id of the order or case that new files belong to; null: none can be added here. */
  on: string | null;
  files: readonly FilePartsFragment[];
  refresh(): void;
}

const TYPES: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
};

/** Evidence: files to download, and a button to add one. */
export function Files({ on, files, refresh }: FilesProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const save = async ({ path, name, fileNo }: FilePartsFragment) =>
    setProblem(await saveFile(path, name ?? `file ${fileNo}`));
  return (
    <Panel title="Files" side={files.length > 0 ? String(files.length) : undefined}>
      {files.length === 0 && <p className="soft">No receipt or other evidence yet.</p>}
      <ul className={styles.files}>
        {files.map((file) => (
          <li key={file.fileNo}>
            <button type="button" className={styles.file} onClick={() => void save(file)}>
              <Icon name="download" size={14} />
              {file.name ?? `File ${file.fileNo}`}
            </button>
            <span className="soft">
              {TYPES[file.mediaType] ?? file.mediaType}, {sizeOf(file.size)}, {file.uploadedBy},{' '}
              <Time at={file.uploadedAt} />
            </span>
          </li>
        ))}
      </ul>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      {on !== null && <FileField on={on} label="Add a file" onStored={refresh} />}
    </Panel>
  );
}

/** A size in bytes, for people. */
export function sizeOf(bytes: number): string {
  return bytes < 1_024 * 1_024 ? `${Math.ceil(bytes / 1_024)} kB` : `${(bytes / 1_024 / 1_024).toFixed(1)} MB`;
}

interface FileFieldProps {
  on: string;
  label: string;
  onStored(name: string): void;
}

/** Chooses a file and uploads it at once. */
export function FileField({ on, label, onStored }: FileFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null; stored: string | null }>({
    isBusy: false,
    problem: null,
    stored: null,
  });
  const send = async (file: File | undefined) => {
    if (!file) return;
    setState({ isBusy: true, problem: null, stored: null });
    const problem = await uploadFile(on, file);
    if (field.current) field.current.value = '';
    setState({ isBusy: false, problem, stored: problem === null ? file.name : null });
    if (problem === null) onStored(file.name);
  };
  return (
    <div className={styles.upload}>
      <input
        ref={field}
        id={id}
        type="file"
        accept={FILE_TYPES}
        className="hidden-visually"
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => void send(event.currentTarget.files?.[0])}
      />
      <Button variant="default" size="compact-sm" loading={state.isBusy} onClick={() => field.current?.click()}>
        {label}
      </Button>
      <span className="soft">PDF, PNG or JPEG, at most 2 MB</span>
      {state.stored !== null && <span role="status">{state.stored} is stored.</span>}
      {state.problem !== null && <Notice tone="bad">{state.problem}</Notice>}
    </div>
  );
}
