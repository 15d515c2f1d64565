import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import type { CustomField } from '../actions/action.ts';
import { Time } from '../parts/time.tsx';
import { type CredentialChanges, readChanges } from './channel-changes.ts';
import type { ChannelCredentials } from './channel-detail.ts';
import styles from './channels.module.css';

/** The credentials of a channel by name. Their values are never shown: an empty field leaves one as it is. */
export function CredentialFields({ known, value, problem, change }: CustomField & { known: ChannelCredentials }) {
  const changes = readChanges(value);
  const { values, removed, added } = changes;
  const set = (changed: Partial<CredentialChanges>) => change(JSON.stringify({ ...changes, ...changed }));
  const setAdded = (index: number, changed: { name?: string; value?: string }) =>
    set({ added: added.map((one, at) => (at === index ? { ...one, ...changed } : one)) });
  return (
    <fieldset className={styles.credentials}>
      <legend>Credentials</legend>
      <p className="soft">Values are never shown. Leave one empty to keep it.</p>
      {known.map(({ name, setAt }) => (
        <div key={name}>
          <Textarea
            {...secret}
            label={name}
            description={
              setAt ? (
                <>
                  Set <Time at={setAt} />
                </>
              ) : (
                'Set by an earlier version'
              )
            }
            placeholder={removed.includes(name) ? 'Will be removed' : 'Stays as it is'}
            disabled={removed.includes(name)}
            value={removed.includes(name) ? '' : (values[name] ?? '')}
            onChange={(event) => set({ values: { ...values, [name]: event.currentTarget.value } })}
          />
          <Checkbox
            size="xs"
            label={`Remove ${name}`}
            checked={removed.includes(name)}
            onChange={(event) =>
              set({ removed: event.currentTarget.checked ? [...removed, name] : removed.filter((one) => one !== name) })
            }
          />
        </div>
      ))}
      {added.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end.
        <div key={index} className={styles.added}>
          <TextInput
            label="Name"
            autoComplete="off"
            value={one.name}
            onChange={(event) => setAdded(index, { name: event.currentTarget.value })}
          />
          <Textarea
            {...secret}
            label="Value"
            value={one.value}
            onChange={(event) => setAdded(index, { value: event.currentTarget.value })}
          />
        </div>
      ))}
      {problem !== undefined && <p role="alert" className={styles.problem}>{`Credentials: ${problem}`}</p>}
      <Button size="compact-xs" variant="default" onClick={() => set({ added: [...added, { name: '', value: '' }] })}>
        Add a credential
      </Button>
    </fieldset>
  );
}

/** Private keys have several lines, which a password field would join. No browser keeps or checks what is typed. */
const secret = {
  ...{ rows: 1, autoComplete: 'off', spellCheck: false },
  classNames: { input: styles.secret ?? '' },
};
