import { Button, NativeSelect, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { operationNamed, useWhyNot } from '../actions/operation.ts';
import { sendMutation } from '../actions/send-mutation.ts';
import { useOwnCountries } from '../app/use-me.ts';
import { asSentence, countryNames } from '../format/words.ts';
import {
  type Country,
  ImportStatementDocument,
  StatementChoicesDocument,
  type StatementRowFragment,
} from '../generated/documents.generated.ts';
import { Failure, Notice } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { choicesOf } from './import-uploaded.tsx';
import { ImportedStatement } from './imported-statement.tsx';
import styles from './reconciliation.module.css';
import { uploadStatement } from './send-statement.ts';

type Values = Record<'country' | 'channelId' | 'format' | 'reason', string>;
/** `share`: of the file that was sent. Null: it is on the server. */
type Step =
  | { at: 'asked' }
  | { at: 'sending'; share: number }
  | { at: 'importing' }
  | { at: 'refused'; message: string; fields: Readonly<Record<string, string>> }
  | { at: 'done'; statement: StatementRowFragment; isRepeat: boolean };

/** Uploads a file and says what it is. After an error all that was typed stays, and a file that was sent is not sent again. */
export function ImportPage() {
  const whyNot = useWhyNot()('importStatement');
  return (
    <Page title="Import a statement">{whyNot === null ? <ImportForm /> : <Notice tone="bad">{whyNot}</Notice>}</Page>
  );
}

function ImportForm() {
  const [{ data, error }, read] = useQuery({ query: StatementChoicesDocument });
  const [file, setFile] = useState<File | null>(null);
  const [typed, setTyped] = useState<Partial<Values>>({});
  const { step, run, startAgain } = useImport();
  const { channels, formats } = choicesOf(data ?? null);
  const own = useOwnCountries();
  const values: Values = {
    country: own[0] ?? '',
    channelId: channels[0] ?? '',
    format: formats[0] ?? '',
    reason: '',
    ...typed,
  };
  const set = (name: keyof Values) => (value: string) => setTyped({ ...typed, [name]: value });
  const isBusy = step.at === 'sending' || step.at === 'importing';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file && !isBusy) void run(file, values);
  };
  if (step.at === 'done')
    return (
      <ImportedStatement
        statement={step.statement}
        isRepeat={step.isRepeat}
        another={() => {
          setFile(null);
          startAgain();
        }}
      />
    );
  return (
    <Panel>
      {error && <Failure error={error} retry={() => read({ requestPolicy: 'network-only' })} />}
      <form className={styles.form} onSubmit={submit}>
        <FileChoice file={file} change={setFile} />
        <Choice name="country" label="Country" value={values.country} change={set('country')} step={step}>
          {own.map((value) => ({ value, label: countryNames[value] ?? value }))}
        </Choice>
        <Choice name="channelId" label="Channel" value={values.channelId} change={set('channelId')} step={step}>
          {channels.map((value) => ({ value, label: value }))}
        </Choice>
        <Choice name="format" label="Format" value={values.format} change={set('format')} step={step}>
          {formats.map((value) => ({ value, label: value }))}
        </Choice>
        <Textarea
          label="Reason"
          description="Kept in the audit log."
          required
          rows={2}
          maxLength={500}
          value={values.reason}
          error={step.at === 'refused' ? step.fields.reason : undefined}
          onChange={({ currentTarget }) => set('reason')(currentTarget.value)}
        />
        <Progress step={step} />
        <div>
          <Button type="submit" loading={isBusy} disabled={file === null || values.channelId === ''}>
            Upload and import
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** Sends the file, then imports it. A second try sends the file only if it is another one. */
function useImport(): { step: Step; run(file: File, values: Values): Promise<void>; startAgain(): void } {
  const client = useClient();
  const [step, setStep] = useState<Step>({ at: 'asked' });
  const [sent, setSent] = useState<{ file: File; country: string; fileNo: number } | null>(null);
  const run = async (file: File, { country, channelId, format, reason }: Values) => {
    let fileNo = sent?.file === file && sent.country === country ? sent.fileNo : null;
    if (fileNo === null) {
      setStep({ at: 'sending', share: 0 });
      const uploaded = await uploadStatement(country, file, (share) => setStep({ at: 'sending', share }));
      if ('problem' in uploaded) return setStep({ at: 'refused', message: asSentence(uploaded.problem), fields: {} });
      ({ fileNo } = uploaded);
      setSent({ file, country, fileNo });
    }
    setStep({ at: 'importing' });
    const input = { country: country as Country, channelId, format, fileNo };
    const done = await sendMutation(client, ImportStatementDocument, { input, reason: reason.trim() });
    if (done.state === 'done') return setStep({ at: 'done', ...done.result });
    const { message, fields } =
      done.state === 'refused' ? done : { message: 'This waits for a second operator.', fields: {} };
    return setStep({ at: 'refused', message: asSentence(message), fields });
  };
  return { step, run, startAgain: () => setStep({ at: 'asked' }) };
}

function FileChoice({ file, change }: { file: File | null; change(file: File | null): void }) {
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

interface ChoiceProps {
  name: string;
  label: string;
  value: string;
  step: Step;
  change(value: string): void;
  children: { value: string; label: string }[];
}

function Choice({ name, label, value, step, change, children }: ChoiceProps): ReactNode {
  const { help } = operationNamed('importStatement').fields[name] ?? { help: '' };
  return (
    <NativeSelect
      label={label}
      description={help}
      required
      value={value}
      data={children}
      error={step.at === 'refused' ? step.fields[name] : undefined}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

function Progress({ step }: { step: Step }) {
  if (step.at === 'refused') return <Notice tone="bad">{step.message}</Notice>;
  if (step.at === 'importing') return <p role="status">The file is on the server. It is being handed over …</p>;
  if (step.at !== 'sending') return null;
  const percent = Math.round(step.share * 100);
  return (
    <div className={styles.progress}>
      <progress aria-label="Upload" max={100} value={percent} />
      <span className="figures">{percent} %</span>
    </div>
  );
}
