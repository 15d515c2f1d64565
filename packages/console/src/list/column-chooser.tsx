import { Button, Popover } from '@mantine/core';
import { Icon } from '../parts/icon.tsx';
import { chosenColumns } from '../preferences/columns.ts';
import type { Column } from './columns.ts';
import styles from './list.module.css';

interface ChooserProps<Row> {
  /** The name of the list. */
  name: string;
  columns: readonly Column<Row>[];
  /** The columns that the list shows now. */
  shown: readonly Column<Row>[];
}

/** Chooses the columns of a list. */
export function ColumnChooser<Row>({ name, columns, ...list }: ChooserProps<Row>) {
  const store = chosenColumns(name);
  const shown = list.shown.map(({ id }) => id);
  const choosable = columns.filter(({ isFixed }, i) => i > 0 && !isFixed);
  if (choosable.length === 0) return null;
  const toggle = (id: string) => store.set(shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id]);
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button
          className={styles.onDesk}
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<Icon name="columns" size={14} />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <fieldset className={styles.options}>
          <legend className="hidden-visually">Columns</legend>
          {choosable.map(({ id, title }) => (
            <label key={id}>
              <input type="checkbox" checked={shown.includes(id)} onChange={() => toggle(id)} />
              {title}
            </label>
          ))}
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
