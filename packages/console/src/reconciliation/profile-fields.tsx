import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { helpBeside } from '../actions/field-help.ts';
import { operationNamed } from '../actions/operation.ts';
import { plainWords } from '../format/words.ts';
import { type Question, questions } from './profile-questions.ts';
import {
  counts,
  type ProfileField,
  type ProfileValues,
  type TypeRow,
  typeRowsOf,
  typesText,
} from './profile-values.ts';
import styles from './reconciliation.module.css';

export interface FieldsProps {
  values: ProfileValues;
  problems: Readonly<Record<string, string>>;
  /** Whether the name can be chosen: a new version keeps it. */
  isNew: boolean;
  change(field: ProfileField, value: string): void;
}

/** The questions of a profile, by heading. Those that do not count now are left out. */
export function ProfileFields(props: FieldsProps) {
  return questions.map(({ title, of }) => (
    <fieldset key={title} className={styles.questions}>
      <legend>{title}</legend>
      <div className={styles.questionGrid}>
        {of
          .filter(({ field }) => counts(field, props.values))
          .map((question) => (
            <Answer key={question.field} question={question} {...props} />
          ))}
      </div>
    </fieldset>
  ));
}

function Answer({ question, values, problems, isNew, change }: FieldsProps & { question: Question }) {
  const { field, label, kind, options, isRequired = false, placeholder } = question;
  const value = values[field] ?? '';
  const given = {
    label,
    description: helpOf(question),
    error: problems[field],
    value,
  };
  if (kind === 'types') return <TypeRows {...given} values={values} change={(text) => change(field, text)} />;
  if (options)
    return (
      <NativeSelect
        {...given}
        data={[...options]}
        onChange={({ currentTarget }) => change(field, currentTarget.value)}
      />
    );
  if (kind === 'lines')
    return <Textarea {...given} rows={3} onChange={({ currentTarget }) => change(field, currentTarget.value)} />;
  return (
    <TextInput
      {...given}
      required={isRequired}
      placeholder={placeholder}
      inputMode={kind === 'number' ? 'numeric' : undefined}
      pattern={kind === 'number' ? '[0-9]{1,3}' : undefined}
      disabled={field === 'name' && !isNew}
      onChange={({ currentTarget }) => change(field, currentTarget.value)}
    />
  );
}

/** The help of the operation, where it says more than the label and the options do. */
function helpOf({ field, label, options, help }: Question): string | undefined {
  if (options || help !== undefined) return help;
  return helpBeside(label, operationNamed('setCsvProfile').fields[field]?.help ?? '') || undefined;
}

const lineTypes = ['payin', 'payout', 'refund', 'payout_return', 'fee', 'settlement', 'adjustment', 'unknown'];
const typeOptions = lineTypes.map((value) => ({ value, label: plainWords(value) }));
const directionOptions = [
  { value: 'in', label: 'Money in' },
  { value: 'out', label: 'Money out' },
];

interface TypeRowsProps {
  label: string;
  description: string | undefined;
  error: string | undefined;
  value: string;
  values: ProfileValues;
  change(text: string): void;
}

/** A table: each word of the type column, what it means, and the direction if the type says it. */
function TypeRows({ label, description, error, value, values, change }: TypeRowsProps) {
  const hasDirection = values.directionBy === 'TYPE';
  const rows = typeRowsOf(value);
  const set = (at: number, row: Partial<TypeRow>) =>
    change(
      typesText(
        rows.map((one, i) => (i === at ? { ...one, ...row } : one)),
        hasDirection,
      ),
    );
  const others = (at: number) =>
    change(
      typesText(
        rows.filter((_, i) => i !== at),
        hasDirection,
      ),
    );
  const more = () => change(typesText([...rows, { word: '', type: 'payin', direction: 'in' }], hasDirection));
  return (
    <div className={styles.typeRows}>
      <span className={styles.fileLabel}>{label}</span>
      <span className={`${styles.hint} soft`}>{description}</span>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place, because its word is being typed.
        <div key={at} className={styles.typeRow}>
          <TextInput
            className={styles.typeWord}
            aria-label={`Word ${at + 1}`}
            value={row.word}
            onChange={({ currentTarget }) => set(at, { word: currentTarget.value })}
          />
          <NativeSelect
            aria-label={`Type of word ${at + 1}`}
            data={typeOptions}
            value={row.type}
            onChange={({ currentTarget }) => set(at, { type: currentTarget.value })}
          />
          {hasDirection && (
            <NativeSelect
              aria-label={`Direction of word ${at + 1}`}
              data={directionOptions}
              value={row.direction === '' ? 'in' : row.direction}
              onChange={({ currentTarget }) => set(at, { direction: currentTarget.value })}
            />
          )}
          <Button variant="default" aria-label={`Remove word ${at + 1}`} onClick={() => others(at)}>
            Remove
          </Button>
        </div>
      ))}
      {error !== undefined && <span className={styles.problem}>{error}</span>}
      <div>
        <Button size="compact-sm" variant="default" onClick={more}>
          Add a word
        </Button>
      </div>
    </div>
  );
}
