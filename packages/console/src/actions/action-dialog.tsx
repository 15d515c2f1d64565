import { Button, Modal, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { momentOf } from '../format/time.ts';
import { asSentence } from '../format/words.ts';
import { Notice } from '../parts/notice.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { SlowNotice } from '../parts/slow-notice.tsx';
import { Time } from '../parts/time.tsx';
import { useTimeZone } from '../preferences/time-zone.ts';
import { useTyped } from '../session/typed-text.ts';
import { useMe } from '../session/use-me.ts';
import { useStore } from '../state/store.ts';
import type { Action, ActionField, ActionValues } from './action.ts';
import styles from './actions.module.css';
import { ChangedMeanwhile, MovedFields, mayGoOn, WhoWasFirst } from './changed-meanwhile.tsx';
import { helpBeside } from './field-help.ts';
import {
  beforeOf,
  followedValues,
  initialValues,
  isSameNode,
  type MovedField,
  movedFields,
  submitOf,
  versionOf,
} from './follow-change.ts';
import { newestAction } from './open-action.ts';
import { listRoles, operationNamed } from './operation.ts';
import type { Changed } from './send-mutation.ts';
import { TimeField } from './time-field.tsx';
import { useTypedAmounts } from './typed-amounts.ts';
import { type Outcome, useAction } from './use-action.ts';

interface DialogProps {
  action: Action;
  close(): void;
  /** Called after each try, to read again what the action may have changed. */
  onDone?(): void;
}

/**
 * Shows an action before it runs, takes its reason, runs it, and shows the result. If it is refused, the typed values
 * are kept.
 */
export function ActionDialog({ action: preset, close, onDone }: DialogProps) {
  // The action for which the dialog was opened. The page below may change meanwhile.
  const [action, setAction] = useState(preset);
  const { outcome, run, startAgain } = useAction(action);
  const isOver = outcome.state === 'done' || outcome.state === 'waiting';
  return (
    <Modal
      opened
      onClose={close}
      title={action.label}
      closeOnClickOutside={isOver}
      classNames={{ title: styles.title ?? '' }}
    >
      {isOver ? (
        <Result action={action} outcome={outcome} close={close} />
      ) : (
        <Form
          action={action}
          outcome={outcome}
          close={close}
          follow={(newest) => {
            setAction(newest);
            startAgain();
          }}
          run={async (values, reason) => {
            await run(values, reason);
            onDone?.();
          }}
        />
      )}
    </Modal>
  );
}

interface FormProps {
  action: Action;
  outcome: Outcome;
  close(): void;
  /** Continues with the action as the page shows it now. */
  follow(newest: Action): void;
  run(values: ActionValues, reason: string): Promise<void>;
}

function Form({ action, outcome, close, follow, run }: FormProps) {
  const fields = action.fields ?? [];
  const name = `${action.label} ${action.subject ?? ''}`;
  const [values, setValues] = useTyped<ActionValues>(name, () => initialValues(action));
  const [moved, setMoved] = useState<readonly MovedField[]>([]);
  const [reason, setReason] = useTyped(`${name} reason`, () => '');
  const zone = useTimeZone();
  const newest = useStore(newestAction);
  const shown = fields.filter(({ isShown }) => isShown?.(values) ?? true);
  const operation = operationNamed(action.operation);
  const amounts = useTypedAmounts(action.operation);
  const problems = { ...(outcome.state === 'refused' ? outcome.fields : {}), ...amounts.problems };
  const changed = outcome.state === 'refused' ? outcome.changed : null;
  const isOutdated = outcome.state === 'refused' && outcome.isOutdated && isOther(action, newest, values);
  const goOn = (next: Action) => {
    setMoved(movedFields(action, next, values));
    setValues(followedValues(action, next, values));
    follow(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = amounts.read(shown, withMoments(fields, values, zone));
    if (read && !isOutdated && outcome.state !== 'running') void run(read, reason.trim());
  };
  return (
    <form className={styles.form} onSubmit={submit} onKeyDown={sendByKeys}>
      <p className={styles.summary}>{operation.summary}</p>
      <div className={styles.before}>
        {beforeOf(action, values)}
        <MovedFields moved={moved} />
      </div>
      {shown.map((field, i) => (
        <Field
          key={field.name}
          field={field}
          isFirst={i === 0}
          help={helpBeside(field.label, operation.fields[field.name]?.help ?? '')}
          isRequired={operation.fields[field.name]?.isRequired ?? false}
          value={values[field.name] ?? ''}
          problems={problems}
          values={values}
          change={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      {operation.takesReason && (
        <Reason value={reason} problem={problems.reason} isFirst={fields.length === 0} change={setReason} />
      )}
      {outcome.state === 'refused' && !isOutdated && <Refusal message={outcome.message} changed={changed} />}
      {isOutdated && <ChangedMeanwhile opened={action} newest={newest ?? null} values={values} changed={changed} />}
      {outcome.state === 'running' && <SlowNotice />}
      <div className={styles.buttons}>
        <Button variant="default" onClick={close}>
          Not now
        </Button>
        {!isOutdated && (
          <Button
            type="submit"
            data-autofocus={(fields.length === 0 && !operation.takesReason) || undefined}
            color={action.isDangerous ? 'red.9' : undefined}
            loading={outcome.state === 'running'}
            className={styles.submit}
          >
            {submitOf(action, values)}
          </Button>
        )}
        {isOutdated && mayGoOn(newest) && <Button onClick={() => goOn(newest)}>Go on</Button>}
      </div>
    </form>
  );
}

interface ReasonProps {
  value: string;
  problem: string | undefined;
  isFirst: boolean;
  change(value: string): void;
}

function Reason({ value, problem, isFirst, change }: ReasonProps) {
  return (
    <Textarea
      label="Reason"
      description="Kept in the audit log."
      required
      autosize={false}
      rows={2}
      maxLength={500}
      value={value}
      error={problem}
      onChange={(event) => change(event.currentTarget.value)}
      data-autofocus={isFirst || undefined}
    />
  );
}

function Refusal({ message, changed }: { message: string; changed: Changed | null }) {
  return (
    <Notice tone="bad">
      {asSentence(message)}
      {changed && <WhoWasFirst changed={changed} />}
      {changed && ' The page behind shows its present state.'}
    </Notice>
  );
}

/** Enter begins a new line in the reason: with Ctrl, or Command, it sends the form from every field. */
function sendByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** The values with times as ISO text: they were typed in the zone that the operator chose. */
function withMoments(fields: readonly ActionField[], values: ActionValues, zone: string): ActionValues {
  const times = fields.filter(({ kind }) => kind === 'time').map(({ name }) => name);
  const moments = times.map((name) => [name, momentOf(values[name] ?? '', zone)?.toISOString() ?? '']);
  return { ...values, ...Object.fromEntries(moments) };
}

/**
 * Whether the page now has another version than the dialog shows. An object that does not exist yet has no other
 * version.
 */
function isOther(action: Action, newest: Action | null | undefined, values: ActionValues): boolean {
  if (newest == null) return newest === null;
  if (versionOf(newest, values) !== versionOf(action, values)) return true;
  return !isSameNode(beforeOf(newest, values), beforeOf(action, values));
}

interface FieldProps {
  field: ActionField;
  /** This button has the focus when the dialog opens. */
  isFirst: boolean;
  help: string;
  isRequired: boolean;
  value: string;
  values: ActionValues;
  problems: Readonly<Record<string, string>>;
  change(value: string): void;
}

function Field({ field, isFirst, help, isRequired, value, values, problems, change }: FieldProps) {
  const problem = problems[field.name];
  const shared = {
    label: field.label,
    classNames: { label: styles.label ?? '' },
    description: help,
    required: isRequired,
    value,
    error: problem,
    'data-autofocus': isFirst || undefined,
  };
  const onChange = (event: { currentTarget: { value: string } }) => change(event.currentTarget.value);
  if (field.kind === 'custom')
    return <>{field.render?.({ value, values, problem, problems: partsOf(field.name, problems), change })}</>;
  if (field.kind === 'choice')
    return <NativeSelect {...shared} data={[...(field.options ?? [])]} onChange={onChange} />;
  if (field.kind === 'area') return <Textarea {...shared} rows={3} onChange={onChange} />;
  if (field.kind === 'time') return <TimeField {...shared} onChange={onChange} />;
  return <TextInput {...shared} placeholder={field.placeholder} autoComplete="off" onChange={onChange} />;
}

/** The problems of a field's parts, by their names. */
function partsOf(name: string, problems: Readonly<Record<string, string>>): Record<string, string> {
  const parts = Object.entries(problems).filter(([path]) => path.startsWith(`${name}.`));
  return Object.fromEntries(parts.map(([path, reason]) => [path.slice(name.length + 1), reason]));
}

function Result({ action, outcome, close }: { action: Action; outcome: Outcome; close(): void }) {
  const { operatorId } = useMe();
  const record = (
    <ScreenLink to="/audit" search={{ subject: action.subject, actor: operatorId }}>
      See the audit record
    </ScreenLink>
  );
  return (
    <div className={styles.form}>
      {outcome.state === 'done' && <Notice tone="good">{action.after(outcome.result)}</Notice>}
      {outcome.state === 'waiting' && (
        <Notice tone="warn">
          This waits for a second operator. Another operator with the role{' '}
          {listRoles(operationNamed(action.operation).roles)} has to approve it until{' '}
          <Time at={outcome.approval.expiresAt} />.{' '}
          <ScreenLink to={`/approvals/${outcome.approval.approvalId}`}>See the approval</ScreenLink>
        </Notice>
      )}
      <div className={styles.buttons}>
        {record}
        <Button onClick={close} ref={focus}>
          Close
        </Button>
      </div>
    </div>
  );
}

/** The pressed button no longer exists, so this one gets the focus. */
function focus(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** Names and values in a dialog's `before`. */
export function Before({ values }: { values: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className={styles.rows}>
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
