import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { listRoles, operationNamed } from '../actions/operation.ts';
import { type Sent, sendMutation } from '../actions/send-mutation.ts';
import { asSentence, countryNames } from '../format/words.ts';
import { type Country, SetCsvProfileDocument, StatementChoicesDocument } from '../generated/documents.generated.ts';
import { Notice } from '../parts/notice.tsx';
import { Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';
import { useOwnCountries } from '../session/use-me.ts';
import { ProfileFields } from './profile-fields.tsx';
import { inputOf, type ProfileValues } from './profile-values.ts';
import styles from './reconciliation.module.css';
import { PreviewResult, type PreviewStep, readPreview } from './statement-preview.tsx';
import { Choice, FileChoice, UploadProgress, useUpload } from './upload-step.tsx';

interface ProfileFormProps {
  /** What the form begins with. */
  first: ProfileValues;
  /** The newest version, on which the next one is based; 0: the profile is new. */
  basedOn: number;
  /** Why this operator may not set it; null: they may. */
  whyNot?: string | null;
}

type Asked = { state: 'none' | 'sending' } | Sent<object>;

/** The questions of a profile, a preview on a file, and the request for an approval. After an error all that was typed stays. */
export function ProfileForm({ first, basedOn, whyNot = null }: ProfileFormProps) {
  const client = useClient();
  const [values, setValues] = useState(first);
  const [reason, setReason] = useState('');
  const [preview, setPreview] = useState<PreviewStep>({ at: 'none' });
  const [asked, setAsked] = useState<Asked>({ state: 'none' });
  const problems = {
    ...(preview.at === 'refused' ? preview.fields : {}),
    ...(asked.state === 'refused' ? asked.fields : {}),
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setAsked({ state: 'sending' });
    const variables = { input: inputOf(values, basedOn), reason: reason.trim() };
    setAsked(await sendMutation(client, SetCsvProfileDocument, variables));
  };
  return (
    <form className={styles.profileForm} onSubmit={submit}>
      <Panel title={basedOn === 0 ? 'Questions' : `Questions, for version ${basedOn + 1}`}>
        <ProfileFields
          values={values}
          problems={problems}
          isNew={basedOn === 0}
          change={(field, value) => {
            setValues((before) => ({ ...before, [field]: value }));
            setAsked({ state: 'none' });
          }}
        />
      </Panel>
      {whyNot === null && (
        <>
          <TryOut values={values} step={preview} setStep={setPreview} />
          <PreviewResult step={preview} />
          <Panel title="Request">
            <div className={styles.form}>
              <p className={styles.text}>
                Files that were received keep the version with which they were received. Another operator with the role{' '}
                {listRoles(operationNamed('setCsvProfile').roles)} has to approve it.
              </p>
              <Textarea
                label="Reason"
                description="Kept in the audit log."
                required
                rows={2}
                maxLength={500}
                value={reason}
                error={problems.reason}
                onChange={({ currentTarget }) => setReason(currentTarget.value)}
              />
              <Outcome asked={asked} />
              <div>
                <Button type="submit" loading={asked.state === 'sending'} disabled={asked.state === 'waiting'}>
                  Request approval
                </Button>
              </div>
            </div>
          </Panel>
        </>
      )}
      {whyNot !== null && <Notice tone="info">{whyNot}</Notice>}
    </form>
  );
}

function Outcome({ asked }: { asked: Asked }) {
  if (asked.state === 'refused') return <Notice tone="bad">{asSentence(asked.message)}</Notice>;
  if (asked.state === 'done') return <Notice tone="good">The profile is set.</Notice>;
  if (asked.state !== 'waiting') return null;
  const { approvalId, expiresAt } = asked.approval;
  return (
    <Notice tone="warn">
      This waits for a second operator until <Time at={expiresAt} />.{' '}
      <ScreenLink to={`/approvals/${approvalId}`}>See the approval</ScreenLink>
    </Notice>
  );
}

interface TryOutProps {
  values: ProfileValues;
  step: PreviewStep;
  setStep(step: PreviewStep): void;
}

/** Uploads a file of the bank, and shows how the answers above would read it. */
function TryOut({ values, step, setStep }: TryOutProps) {
  const client = useClient();
  const own = useOwnCountries();
  const [{ data }] = useQuery({ query: StatementChoicesDocument });
  const [file, setFile] = useState<File | null>(null);
  const [country, setCountry] = useState(own[0] ?? '');
  const [channelId, setChannelId] = useState('');
  const upload = useUpload();
  const look = async () => {
    if (!file) return;
    setStep({ at: 'reading' });
    const fileNo = await upload.send(country, file);
    if (fileNo === null) return setStep({ at: 'none' });
    const profile = inputOf(values, 0);
    const variables = { country: country as Country, fileNo, profile, channelId: channelId === '' ? null : channelId };
    setStep(await readPreview(client, variables));
  };
  const channels = data?.channels?.edges.map(({ node }) => node.channelId) ?? [];
  return (
    <Panel title="Try it on a file">
      <div className={styles.form}>
        <FileChoice file={file} change={setFile} />
        <Choice
          label="Country"
          help="Country whose currency and time zone the file has."
          value={country}
          options={own.map((value) => ({ value, label: countryNames[value] ?? value }))}
          change={setCountry}
        />
        <Choice
          label="Channel"
          help="Its account and first day are compared with the file."
          value={channelId}
          options={[{ value: '', label: 'None' }, ...channels.map((value) => ({ value, label: value }))]}
          change={setChannelId}
          isRequired={false}
        />
        <UploadProgress step={upload.step} />
        <div>
          <Button
            variant="default"
            loading={step.at === 'reading'}
            disabled={file === null}
            onClick={() => void look()}
          >
            Preview
          </Button>
        </div>
      </div>
    </Panel>
  );
}
