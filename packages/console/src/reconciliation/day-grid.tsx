import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { groupCount } from '../format/money.ts';
import { addDays } from '../format/time.ts';
import { countryNames } from '../format/words.ts';
import type { DayRowFragment } from '../generated/documents.generated.ts';
import { useRowKeys } from '../list/use-row-keys.ts';
import { Money } from '../parts/money.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { dayLooks, dayStateOf, describeDay, showDay } from './day-look.ts';
import styles from './reconciliation.module.css';

interface GridProps {
  days: readonly DayRowFragment[];
  /** The first day that was asked for. */
  from: string;
  /** The days that fit, the newest first. */
  shown: readonly string[];
  /** What the address filters by. */
  search: Readonly<Record<string, unknown>>;
}

/** Widths of the columns in rem. As many days are shown as fit. */
const CHANNEL_REM = 8.5;
const DAY_REM = 6.25;

/** The days of a period that fit into a width in rem, the newest first. */
export function shownDays({ from, to }: { from: string; to: string }, width: number): string[] {
  const all: string[] = [];
  for (let day = to; day >= from; day = addDays(day, -1)) all.push(day);
  return all.slice(0, Math.max(1, Math.floor((width - CHANNEL_REM) / DAY_REM)));
}

/** Days by channel, the newest first, as many as fit. Each day is a link, with a sign and words next to its colour. */
export function DayGrid({ days, from, shown, search }: GridProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const last = shown.at(-1);
  const older = last !== undefined && last > from ? addDays(last, -1) : undefined;
  return (
    <div className={styles.scroll}>
      <table className={styles.grid}>
        <caption className="hidden-visually">Days by channel</caption>
        <thead>
          <tr>
            <th scope="col">Channel</th>
            {shown.map((day) => (
              <th key={day} scope="col">
                {showDay(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rowsOf(days).map(({ key, channelId, country, byDay }) => (
            <tr key={key}>
              <th scope="row" className={styles.channel}>
                <div className="mono">{channelId}</div>
                <div className="soft">{countryNames[country]}</div>
              </th>
              {shown.map((day) => {
                const found = byDay.get(day);
                return <td key={day}>{found ? <Cell day={found} /> : <span className="soft">–</span>}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {older !== undefined && (
        <p className={styles.older}>
          <ScreenLink to="/reconciliation" search={{ ...search, days: `${from}..${older}` }}>
            Older days
          </ScreenLink>
        </p>
      )}
    </div>
  );
}

function Cell({ day }: { day: DayRowFragment }) {
  const { country, channelId, lines, explainedLines, openBreaks, difference, currency } = day;
  const { tone, sign, label } = describeDay(day);
  return (
    <Link
      to="/reconciliation/days/$country/$channelId/$day"
      params={{ country, channelId, day: day.day }}
      className={styles.cell}
      data-tone={tone}
    >
      <span className="hidden-visually">{`${channelId}, ${showDay(day.day)}: `}</span>
      <strong>
        <span aria-hidden="true">{sign}</span> {label}
      </strong>
      {openBreaks > 0 && <Money amount={difference} currency={currency} />}
      <span>{describeLines(lines, explainedLines)}</span>
    </Link>
  );
}

/** How many lines the statements have, and how many of them are matched. */
export function describeLines(lines: number, explainedLines: number | null): string {
  if (lines === 0) return 'no lines';
  const all = `${groupCount(lines)} ${lines === 1 ? 'line' : 'lines'}`;
  return explainedLines === null ? all : `${groupCount(explainedLines)} of ${all} matched`;
}

/** How many days look how: what the signs mean, too. */
export function DayCounts({ days }: { days: readonly DayRowFragment[] }) {
  return (
    <ul className={styles.counts} aria-label="Days by state">
      {Object.entries(dayLooks).map(([look, { tone, sign, label }]) => (
        <li key={look} data-tone={tone}>
          <span aria-hidden="true">{sign}</span> {label}{' '}
          <strong className="figures">{days.filter((day) => dayStateOf(day) === look).length}</strong>
        </li>
      ))}
    </ul>
  );
}

interface GridRow {
  key: string;
  channelId: string;
  country: string;
  byDay: Map<string, DayRowFragment>;
}

function rowsOf(days: readonly DayRowFragment[]): GridRow[] {
  const rows = new Map<string, GridRow>();
  for (const day of days) {
    const { channelId, country } = day;
    const key = `${country} ${channelId}`;
    const row = rows.get(key) ?? { key, channelId, country, byDay: new Map() };
    row.byDay.set(day.day, day);
    rows.set(key, row);
  }
  return [...rows.values()];
}
