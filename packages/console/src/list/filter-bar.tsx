import { Button, CloseButton, Popover } from '@mantine/core';
import { useRef, useState } from 'react';
import { describePeriod } from '../format/period.ts';
import { Icon } from '../parts/icon.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { FilterEditor } from './filter-editor.tsx';
import type { Filter, Filters } from './filters.ts';
import styles from './list.module.css';
import { useSetSearch } from './use-list.ts';

/** The filters of a list, from the page's URL. Each opens an editor; a set one can be removed. */
export function FilterBar({ filters, values }: { filters: Filters; values: Readonly<Record<string, unknown>> }) {
  const setSearch = useSetSearch();
  const names = Object.keys(filters);
  const isAnySet = names.some((name) => values[name] !== undefined);
  const [isWhole, setWhole] = useState(false);
  const bar = useRef<HTMLElement>(null);
  useShortcuts((key) => {
    if (key === 'f') bar.current?.querySelector('button')?.click();
    return key === 'f';
  });
  const shown = names.filter((name) => isWhole || !filters[name]?.isRare || values[name] !== undefined);
  return (
    <search ref={bar} className={styles.filters} aria-label="Filters">
      {shown.map((name) => {
        const filter = filters[name];
        return filter && <FilterPill key={name} filter={filter} name={name} value={values[name]} />;
      })}
      {shown.length < names.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          More filters
        </Button>
      )}
      {isAnySet && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => setSearch(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          Clear all
        </Button>
      )}
    </search>
  );
}

interface PillProps {
  filter: Filter<unknown>;
  name: string;
  value: unknown;
}

function FilterPill({ filter, name, value }: PillProps) {
  const setSearch = useSetSearch();
  const [isOpen, setOpen] = useState(false);
  const isSet = value !== undefined;
  const change = (next: unknown, isDone = true) => {
    setSearch({ [name]: next });
    if (isDone) setOpen(false);
  };
  return (
    <span className={styles.pill} data-set={isSet}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <button type="button" className={styles.pillButton} onClick={() => setOpen(!isOpen)}>
            {!isSet && <span aria-hidden="true">+</span>}
            <span className={styles.pillLabel}>{filter.label}</span>
            {isSet && <span className={styles.pillValue}>{describeValue(filter, value)}</span>}
            {isSet && <Icon name="down" size={12} />}
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          <FilterEditor filter={filter} value={value} change={change} />
        </Popover.Dropdown>
      </Popover>
      {isSet && (
        <CloseButton size="xs" aria-label={`Remove the filter ${filter.label}`} onClick={() => change(undefined)} />
      )}
    </span>
  );
}

const MAX_NAMED = 2;

function describeValue({ kind, options }: Filter<unknown>, value: unknown): string {
  if (kind === 'period') return describePeriod(String(value));
  const labels = (Array.isArray(value) ? value : [value]).map(
    (one) => options.find((option) => option.value === one)?.label ?? String(one),
  );
  const more = labels.length - MAX_NAMED;
  return more > 0 ? `${labels.slice(0, MAX_NAMED).join(', ')} + ${more}` : labels.join(', ');
}
