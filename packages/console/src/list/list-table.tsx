import { Link } from '@tanstack/react-router';
import { memo, type ReactNode, useMemo, useRef } from 'react';
import { groupCount } from '../format/money.ts';
import { Failure } from '../parts/notice.tsx';
import { Empty } from '../parts/page.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { chosenColumns } from '../preferences/columns.ts';
import { useStore } from '../state/store.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { type Column, shownColumns } from './columns.ts';
import styles from './list.module.css';
import { Pager } from './pager.tsx';
import { isCut, SearchedUntil } from './searched-until.tsx';
import type { List } from './use-list.ts';
import { useListWidth } from './use-list-width.ts';
import { useRowKeys } from './use-row-keys.ts';

/** Target of a row, as properties of the router's Link. */
export interface RowLink {
  readonly to: string;
  readonly params?: Record<string, string>;
  readonly search?: Record<string, unknown>;
}

export interface ListTableProps<Row> {
  /** Names the list for the kept columns, for example `orders`. */
  name: string;
  /** Singular and plural of what is listed. */
  noun: readonly [one: string, many: string];
  columns: readonly Column<Row>[];
  list: List<Row>;
  rowKey: (row: Row) => string;
  /** The first column of each row becomes this link. */
  rowLink?: (row: Row) => RowLink;
  /** Shown for an empty list. */
  empty: ReactNode;
  /** Marks rows that changed a moment ago. */
  isFresh?: (row: Row) => boolean;
  /** The element to the left of the column chooser. */
  tools?: ReactNode;
}

const SKELETON_ROWS = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** A list: count, chosen columns, rows, pages. It says when it loads, fails or is empty. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { name, noun, columns, list, empty, tools } = props;
  const chosen = useStore(chosenColumns(name));
  const frame = useRef<HTMLElement>(null);
  const width = useListWidth(frame);
  const shown = useMemo(() => shownColumns(columns, chosen, width), [columns, chosen, width]);
  const isEmpty = list.connection !== null && list.rows.length === 0;
  const { hasPreviousPage = false, hasNextPage = false } = list.connection?.pageInfo ?? {};
  const isOnlyPage = !hasPreviousPage && !hasNextPage;
  const isPart = list.connection !== null && isCut(list.connection);
  return (
    <section ref={frame} className={styles.frame} aria-label={noun[1]} aria-busy={list.isLoading}>
      <div className={styles.tools}>
        <span className={styles.count} role="status">
          {countOf(list, noun)}
        </span>
        <span className={styles.toolsEnd}>
          {tools}
          <ColumnChooser name={name} columns={columns} shown={shown} />
        </span>
      </div>
      {list.error && (
        <div className={styles.failure}>
          <Failure error={list.error} retry={list.refresh} />
        </div>
      )}
      {isEmpty ? !isPart && (isOnlyPage ? empty : <NoMore noun={noun[1]} />) : <Rows {...props} shown={shown} />}
      {list.connection && isPart && <SearchedUntil connection={list.connection} noun={noun[1]} />}
      {list.connection && !(isEmpty && isOnlyPage) && <Pager pageInfo={list.connection.pageInfo} />}
    </section>
  );
}

/** The last page of a search in parts can be empty. */
function NoMore({ noun }: { noun: string }) {
  return <Empty title={`No more ${noun}`}>The search has come to the end of the list.</Empty>;
}

function countOf<Row>({ connection, isLoading }: List<Row>, [one, many]: readonly [string, string]): string {
  if (!connection) return isLoading ? 'Loading …' : '';
  const { totalCount, totalCountIsExact } = connection;
  if (!totalCountIsExact) return totalCount === 0 ? `No ${many} so far` : `More than ${groupCount(totalCount)} ${many}`;
  return `${groupCount(totalCount)} ${totalCount === 1 ? one : many}`;
}

function Rows<Row>({
  noun,
  list,
  rowKey,
  rowLink,
  isFresh,
  shown,
}: ListTableProps<Row> & { shown: readonly Column<Row>[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  // Rows that are links take the focus themselves.
  const Box = rowLink ? 'div' : ScrollBox;
  return (
    <Box className={styles.scroll}>
      <table className={styles.table}>
        <caption className="hidden-visually">{noun[1]}</caption>
        <thead>
          <tr>
            {shown.map(({ id, title, align }) =>
              title === '' ? (
                <td key={id} />
              ) : (
                <th key={id} scope="col" data-align={align}>
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody ref={body}>
          {list.connection === null && list.isLoading
            ? SKELETON_ROWS.map((row) => <SkeletonRow key={row} columns={shown} />)
            : list.rows.map((row) => (
                <BodyRow
                  key={rowKey(row)}
                  row={row}
                  columns={shown as readonly Column<unknown>[]}
                  link={rowLink && JSON.stringify(rowLink(row))}
                  isFresh={isFresh?.(row)}
                />
              ))}
        </tbody>
      </table>
    </Box>
  );
}

interface BodyRowProps {
  row: unknown;
  columns: readonly Column<unknown>[];
  /** A RowLink as JSON, so that an equal one is the same. */
  link: string | undefined;
  isFresh: boolean | undefined;
}

/** A row is rendered again only if its data changed, because in a live list only a few of many rows change at a time. */
const BodyRow = memo(function BodyRow({ row, columns, link, isFresh }: BodyRowProps) {
  return (
    <tr data-fresh={isFresh}>
      {columns.map((column, i) => (
        <td
          key={column.id}
          data-align={column.align}
          data-wraps={column.wraps}
          data-phone={column.phone ?? (i === 0 ? 'top' : undefined)}
        >
          {i === 0 && link !== undefined ? (
            <Link className={styles.rowLink} {...(JSON.parse(link) as { to: '/' })}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
});

function SkeletonRow<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tr className={styles.skeleton}>
      {columns.map(({ id, align, phone }, i) => (
        <td key={id} data-align={align} data-phone={phone ?? (i === 0 ? 'top' : undefined)}>
          <span className={styles.bone} />
        </td>
      ))}
    </tr>
  );
}
