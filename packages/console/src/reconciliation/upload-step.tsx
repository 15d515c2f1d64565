import { NativeSelect } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { asSentence } from '../format/words.ts';
import { Notice } from '../parts/notice.tsx';
import styles from './reconciliation.module.css';
import { uploadStatement } from './send-statement.ts';

/** How far an upload has come. `share`: of the file that was sent. */
export type UploadStep =
  | { at: 'none' }
  | { at: 'sending'; share: number }
  | { at: 'refused'; message: string }
  | { at: 'there'; fileNo: number; country: string };

interface Upload {
  step: UploadStep;
  /** Resolves to the number of the file; null: it was refused. A file that was sent for the country is not sent again. */
  send(country: string, file: File): Promise<number | null>;
  reset(): void;
}

/** Uploads one file at a time. `first`: a file that is on the server already. */
export function useUpload(first: UploadStep = { at: 'none' }): Upload {
  const [step, setStep] = useState<UploadStep>(first);
  const [sent, setSent] = useState<{ file: File; country: string; fileNo: number } | null>(null);
  const send = async (country: string, file: File): Promise<number | null> => {
    const there = (fileNo: number): number => {
      setStep({ at: 'there', fileNo, country });
      return fileNo;
    };
    if (sent?.file === file && sent.country === country) return there(sent.fileNo);
    setStep({ at: 'sending', share: 0 });
    const uploaded = await uploadStatement(country, file, (share) => setStep({ at: 'sending', share }));
    if ('problem' in uploaded) {
      setStep({ at: 'refused', message: asSentence(uploaded.problem) });
      return null;
    }
    setSent({ file, country, fileNo: uploaded.fileNo });
    return there(uploaded.fileNo);
  };
  return { step, send, reset: () => setStep({ at: 'none' }) };
}

/** Chooses a file of a bank or a channel. */
export function FileChoice({ file, change }: { file: File | null; change(file: File | null): void }) {
  const id = useId();
  return (
    <div className={styles.file}>
      <label className={styles.fileLabel} htmlFor={id}>
        File
      </label>
      <input
        id={id}
        className={styles.fileInput}
        type="file"
        onChange={({ currentTarget }) => change(currentTarget.files?.[0] ?? null)}
      />
      <span className={`${styles.hint} soft`}>
        {file === null ? 'As the channel or the bank gave it, at most 64 MiB' : `${Math.ceil(file.size / 1_024)} kB`}
      </span>
    </div>
  );
}

export function UploadProgress({ step }: { step: UploadStep }): ReactNode {
  if (step.at === 'refused') return <Notice tone="bad">{step.message}</Notice>;
  if (step.at !== 'sending') return null;
  const percent = Math.round(step.share * 100);
  return (
    <div className={styles.progress}>
      <progress aria-label="Upload" max={100} value={percent} />
      <span className="figures">{percent} %</span>
    </div>
  );
}

/** A choice with the help text of its field. */
export function Choice({
  label,
  help,
  value,
  problem,
  options,
  isDisabled = false,
  isRequired = true,
  change,
}: {
  label: string;
  help: string;
  value: string;
  problem?: string | undefined;
  options: readonly { value: string; label: string }[];
  isDisabled?: boolean;
  isRequired?: boolean;
  change(value: string): void;
}) {
  return (
    <NativeSelect
      label={label}
      description={help}
      required={isRequired}
      disabled={isDisabled}
      value={value}
      data={[...options]}
      error={problem}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}
