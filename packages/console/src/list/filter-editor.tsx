import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { PERIODS } from '../format/period.ts';
import type { Filter } from './filters.ts';
import styles from './list.module.css';

interface EditorProps {
  filter: Filter<unknown>;
  value: unknown;
  /** If `isDone` is false, the editor stays open. */
  change(value: unknown, isDone?: boolean): void;
}

/** Edits the value of one filter. */
export function FilterEditor(props: EditorProps) {
  if (props.filter.kind === 'period') return <PeriodEditor {...props} />;
  if (props.filter.kind === 'text' || props.filter.kind === 'texts') return <TextEditor {...props} />;
  return <ChoiceEditor {...props} />;
}

function ChoiceEditor({ filter, value, change }: EditorProps) {
  const group = useId();
  const isMany = filter.kind === 'choices';
  const chosen: unknown[] = Array.isArray(value) ? value : [value];
  const pick = (one: string) => {
    if (!isMany) return change(one);
    const next = chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
    return change(filter.read(next.filter((other) => other !== undefined)), false);
  };
  return (
    <fieldset className={styles.options}>
      <legend className="hidden-visually">{filter.label}</legend>
      {filter.options.map((option) => (
        <label key={option.value}>
          <input
            type={isMany ? 'checkbox' : 'radio'}
            name={group}
            checked={chosen.includes(option.value)}
            onChange={() => pick(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

function TextEditor({ filter, value, change }: EditorProps) {
  const isMany = filter.kind === 'texts';
  const [text, setText] = useState(Array.isArray(value) ? value.join(', ') : String(value ?? ''));
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = isMany ? text.split(/[\s,;]+/).filter((one) => one !== '') : text;
    if (text.trim() === '') return change(undefined);
    const read = filter.read(value);
    return read === undefined ? setProblem('This value cannot be read.') : change(read);
  };
  return (
    <form className={styles.editor} onSubmit={submit}>
      <TextInput
        label={filter.label}
        description={isMany ? 'Several are divided by commas.' : undefined}
        placeholder={filter.placeholder}
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <Button type="submit" size="compact-sm">
        Apply
      </Button>
    </form>
  );
}

function PeriodEditor({ filter, value, change }: EditorProps) {
  const [, from = '', to = ''] = /^([\d-]*)\.\.([\d-]*)$/.exec(String(value ?? '')) ?? [];
  const [first, setFirst] = useState(from);
  const [last, setLast] = useState(to);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change(filter.read(`${first}..${last}`));
  };
  return (
    <div className={styles.editor}>
      <fieldset className={styles.options}>
        <legend className="hidden-visually">{filter.label}</legend>
        {Object.entries(PERIODS).map(([name, label]) => (
          <label key={name}>
            <input type="radio" name="period" checked={value === name} onChange={() => change(name)} />
            {label}
          </label>
        ))}
      </fieldset>
      <form className={styles.days} onSubmit={submit}>
        <label>
          First day
          <input type="date" value={first} max={last || undefined} onChange={(event) => setFirst(event.target.value)} />
        </label>
        <label>
          Last day
          <input type="date" value={last} min={first || undefined} onChange={(event) => setLast(event.target.value)} />
        </label>
        <Button type="submit" size="compact-sm" disabled={first === '' && last === ''}>
          Apply
        </Button>
      </form>
    </div>
  );
}
