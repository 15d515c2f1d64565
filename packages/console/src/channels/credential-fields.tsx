import { Checkbox, NativeSelect, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CustomField } from '../actions/action.ts';
import type { AdapterPartsFragment } from '../generated/documents.generated.ts';
import { Time } from '../parts/time.tsx';
import { type CredentialChanges, readChanges } from './channel-changes.ts';
import type { ChannelCredentials } from './channel-detail.ts';
import styles from './channels.module.css';

type CredentialField = AdapterPartsFragment['fields'][number];

interface CredentialProps extends CustomField {
  /** What the adapter reads. */
  fields: readonly CredentialField[];
  /** What is set; empty where nothing is kept. */
  known: ChannelCredentials;
}

/** The credentials that an adapter reads, a field for each. Values that are set are never shown: an empty field keeps them. */
export function CredentialFields({ fields, known, value, problem, problems, change }: CredentialProps) {
  const changes = readChanges(value);
  const { values, removed } = changes;
  const set = (changed: Partial<CredentialChanges>) => change(JSON.stringify({ ...changes, ...changed }));
  const leftOver = known.filter(({ name }) => fields.every((field) => field.name !== name));
  const remove = (name: string) => (
    <Checkbox
      size="xs"
      label={`Remove ${name}`}
      checked={removed.includes(name)}
      onChange={(event) =>
        set({ removed: event.currentTarget.checked ? [...removed, name] : removed.filter((one) => one !== name) })
      }
    />
  );
  return (
    <fieldset className={styles.credentials}>
      <legend>Credentials</legend>
      <p className="soft">
        {known.length > 0
          ? 'Values are never shown. Leave one empty to keep it.'
          : 'Stored sealed, and never shown again.'}
      </p>
      {fields.map((field) => {
        const stored = known.find(({ name }) => name === field.name);
        return (
          <div key={field.name}>
            <Credential
              field={field}
              stored={stored}
              isRemoved={removed.includes(field.name)}
              value={values[field.name] ?? ''}
              problem={problems[field.name]}
              change={(typed) => set({ values: { ...values, [field.name]: typed } })}
            />
            {stored && !field.isRequired && remove(field.name)}
          </div>
        );
      })}
      {leftOver.map(({ name }) => (
        <div key={name}>
          <p className="soft">The adapter does not read {name}.</p>
          {remove(name)}
        </div>
      ))}
      {problem !== undefined && <p role="alert" className={styles.problem}>{`Credentials: ${problem}`}</p>}
    </fieldset>
  );
}

interface OneProps {
  field: CredentialField;
  stored: ChannelCredentials[number] | undefined;
  isRemoved: boolean;
  value: string;
  problem: string | undefined;
  change(typed: string): void;
}

function Credential({ field, stored, isRemoved, value, problem, change }: OneProps) {
  const { name, label, description, isRequired, isSecret, choices } = field;
  const unset = isRequired ? '' : 'Not set';
  const empty = isRemoved ? 'Will be removed' : stored ? 'Stays as it is' : unset;
  const shared = {
    name,
    label,
    error: problem,
    disabled: isRemoved,
    value: isRemoved ? '' : value,
    required: isRequired && !stored,
    description: <Help text={description} stored={stored} />,
  };
  if (choices)
    return (
      <NativeSelect
        {...shared}
        data={[{ value: '', label: empty }, ...choices]}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  return (
    <Textarea
      {...shared}
      {...typing}
      classNames={isSecret ? { input: styles.secret ?? '' } : {}}
      placeholder={empty}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

function Help({ text, stored }: { text: string; stored: OneProps['stored'] }): ReactNode {
  if (!stored) return text;
  return (
    <>
      {text} Set <Time at={stored.setAt} />.
    </>
  );
}

/** Private keys have several lines, which a password field would join. No browser keeps or checks what is typed. */
const typing = { rows: 1, autoComplete: 'off', spellCheck: false };
