import type { ReactNode } from 'react';
import styles from './lines.module.css';
import { ScrollBox } from './scroll-box.tsx';

/** A column of a short table. */
export interface LineColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** Whether long texts without spaces are broken in this column. */
  readonly wraps?: boolean;
}

/** A short table within a panel, without pages. `label` names it for screen readers. On a phone each row is a block. */
export function Lines<Row>({
  label,
  columns,
  rows,
  rowKey,
}: {
  label: string;
  columns: readonly LineColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
}) {
  return (
    <ScrollBox className={styles.scroll}>
      <table className={styles.lines}>
        <caption className="hidden-visually">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ title, align }) => (
              <th key={title} scope="col" data-align={align}>
                {title === '' ? <span className="hidden-visually">Actions</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ title, cell, align, wraps }) => (
                <td key={title} data-align={align} data-wraps={wraps} data-label={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
