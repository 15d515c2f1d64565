import { Button, Textarea } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { operationNamed, useWhyNot } from '../actions/operation.ts';
import { sendMutation } from '../actions/send-mutation.ts';
import { asSentence, countryNames } from '../format/words.ts';
import {
  type Country,
  ImportStatementDocument,
  ProposedFormatsDocument,
  StatementChoicesDocument,
  type StatementRowFragment,
} from '../generated/documents.generated.ts';
import { Failure, Notice } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { useOwnCountries } from '../session/use-me.ts';
import { ImportedStatement } from './imported-statement.tsx';
import styles from './reconciliation.module.css';
import { PreviewResult, type PreviewStep, readPreview } from './statement-preview.tsx';
import { Choice, FileChoice, UploadProgress, useUpload } from './upload-step.tsx';

const route = getRouteApi('/shell/reconciliation/statements/new');

type Values = Record<'country' | 'channelId' | 'format' | 'reason', string>;
type Step =
  | { at: 'asked' }
  | { at: 'importing' }
  | { at: 'refused'; message: string; fields: Readonly<Record<string, string>> }
  | { at: 'done'; statement: StatementRowFragment; isRepeat: boolean };

/** Uploads a file, proposes its format, shows how it would be read, and imports it. After an error all that was typed stays. */
export function ImportPage() {
  const whyNot = useWhyNot()('importStatement');
  return (
    <Page title="Import a statement">{whyNot === null ? <ImportForm /> : <Notice tone="bad">{whyNot}</Notice>}</Page>
  );
}

function ImportForm() {
  const [{ data, error }, read] = useQuery({ query: StatementChoicesDocument });
  const channels = data?.channels?.edges.map(({ node }) => node.channelId) ?? [];
  const form = useImport(channels[0] ?? '');
  const { step, values, set, upload, preview } = form;
  const own = useOwnCountries();
  if (step.at === 'done') return <ImportedStatement {...step} another={form.startAgain} />;
  const isThere = upload.step.at === 'there';
  const problems = step.at === 'refused' ? step.fields : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (isThere ? form.run() : form.send());
  };
  return (
    <>
      <Panel>
        {error && <Failure error={error} retry={() => read({ requestPolicy: 'network-only' })} />}
        <form className={styles.form} onSubmit={submit}>
          {form.isGiven ? (
            <p className={styles.text}>The file is on the server.</p>
          ) : (
            <FileChoice file={form.file} change={form.choose} />
          )}
          <Choice
            label="Country"
            help={helpOf('country')}
            value={values.country}
            problem={problems.country}
            isDisabled={form.isGiven}
            options={own.map((value) => ({ value, label: countryNames[value] ?? value }))}
            change={form.changeCountry}
          />
          <Choice
            label="Channel"
            help={helpOf('channelId')}
            value={values.channelId}
            problem={problems.channelId}
            options={channels.map((value) => ({ value, label: value }))}
            change={set('channelId')}
          />
          <Choice
            label="Format"
            help={isThere ? wordsOf(form.proposed) : 'Is proposed once the file is uploaded.'}
            value={values.format}
            problem={problems.format}
            isDisabled={!isThere}
            options={formatOptions(data?.statementFormats ?? [], form.proposed ?? [])}
            change={set('format')}
          />
          {isThere && (
            <Textarea
              label="Reason"
              description="Kept in the audit log."
              required
              rows={2}
              maxLength={500}
              value={values.reason}
              error={problems.reason}
              onChange={({ currentTarget }) => set('reason')(currentTarget.value)}
            />
          )}
          <UploadProgress step={upload.step} />
          {step.at === 'refused' && <Notice tone="bad">{step.message}</Notice>}
          <Buttons form={form} isThere={isThere} />
        </form>
      </Panel>
      <PreviewResult step={preview} />
    </>
  );
}

function Buttons({ form, isThere }: { form: ReturnType<typeof useImport>; isThere: boolean }) {
  const { file, step, upload, preview, values } = form;
  if (!isThere)
    return (
      <div>
        <Button type="submit" loading={upload.step.at === 'sending'} disabled={file === null}>
          Upload
        </Button>
      </div>
    );
  return (
    <div className={styles.buttons}>
      <Button
        variant="default"
        loading={preview.at === 'reading'}
        disabled={values.format === ''}
        onClick={() => void form.look()}
      >
        Preview
      </Button>
      <Button
        type="submit"
        loading={step.at === 'importing'}
        disabled={values.format === '' || values.channelId === ''}
      >
        Import
      </Button>
    </div>
  );
}

/** What is typed, and how far the file has come. A file that was sent is not sent again. */
function useImport(firstChannel: string) {
  const client = useClient();
  const { country: givenCountry, fileNo: given } = route.useSearch();
  const own = useOwnCountries();
  const [isGiven, setIsGiven] = useState(givenCountry !== undefined && given !== undefined);
  const [file, setFile] = useState<File | null>(null);
  const [typed, setTyped] = useState<Partial<Values>>({});
  const [step, setStep] = useState<Step>({ at: 'asked' });
  const [preview, setPreview] = useState<PreviewStep>({ at: 'none' });
  const upload = useUpload(
    givenCountry && given ? { at: 'there', fileNo: Number(given), country: givenCountry } : undefined,
  );
  const there = upload.step.at === 'there' ? upload.step : null;
  const proposed = useProposals(there);
  const only = proposed?.length === 1 ? proposed[0] : undefined;
  const country = (isGiven ? givenCountry : own[0]) ?? '';
  const values: Values = { country, channelId: firstChannel, format: only ?? '', reason: '', ...typed };
  const change = (changes: Partial<Values>) => {
    setTyped({ ...typed, ...changes });
    setPreview({ at: 'none' });
    setStep({ at: 'asked' });
  };
  /** Another file, or the same one for another country, has to be sent. */
  const beginAgain = (changes: Partial<Values>) => {
    upload.reset();
    const { format: _, ...kept } = { ...typed, ...changes };
    setTyped(kept);
    setPreview({ at: 'none' });
    setStep({ at: 'asked' });
  };
  return {
    file,
    isGiven,
    proposed,
    preview,
    step,
    upload,
    values,
    set: (name: keyof Values) => (value: string) => change({ [name]: value }),
    changeCountry: (value: string) => beginAgain({ country: value }),
    choose: (chosen: File | null) => {
      setFile(chosen);
      beginAgain({});
    },
    startAgain: () => {
      setFile(null);
      setIsGiven(false);
      beginAgain({});
    },
    send: async () => file && upload.send(values.country, file),
    look: async () => {
      if (!there) return;
      setPreview({ at: 'reading' });
      const { channelId, format } = values;
      const { fileNo } = there;
      setPreview(await readPreview(client, { country: there.country as Country, fileNo, channelId, format }));
    },
    run: async () => {
      if (!there) return;
      setStep({ at: 'importing' });
      const { channelId, format, reason } = values;
      const input = { country: there.country as Country, channelId, format, fileNo: there.fileNo };
      const done = await sendMutation(client, ImportStatementDocument, { input, reason: reason.trim() });
      if (done.state === 'done') return setStep({ at: 'done', ...done.result });
      const waits = { message: 'This waits for a second operator.', fields: {} };
      const { message, fields } = done.state === 'refused' ? done : waits;
      return setStep({ at: 'refused', message: asSentence(message), fields });
    },
  };
}

/** Formats that the uploaded file can have; null: they are not known yet. */
function useProposals(there: { fileNo: number; country: string } | null): readonly string[] | null {
  const variables = { country: (there?.country ?? 'PK') as Country, fileNo: there?.fileNo ?? 0 };
  const [{ data }] = useQuery({ query: ProposedFormatsDocument, variables, pause: there === null });
  return there === null ? null : (data?.proposedFormats ?? null);
}

function wordsOf(proposed: readonly string[] | null): string {
  if (proposed === null) return 'The file is being looked at …';
  if (proposed.length === 0) return 'The beginning of the file shows no format that is known here.';
  return `By its beginning the file can be ${proposed.join(' or ')}. Preview it before you import it.`;
}

function formatOptions(formats: readonly string[], proposed: readonly string[]): { value: string; label: string }[] {
  const others = formats.filter((format) => !proposed.includes(format));
  const options = [...proposed, ...others].map((value) => ({ value, label: value }));
  return [{ value: '', label: 'Choose a format' }, ...options];
}

function helpOf(field: string): string {
  return operationNamed('importStatement').fields[field]?.help ?? '';
}
