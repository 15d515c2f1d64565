import { Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Panel } from '../parts/page.tsx';
import { type SettlementDetail, settlementKindWords } from './settlement-words.ts';
import styles from './settlements.module.css';

interface BasisRow {
  readonly label: string;
  /** Null for a sum. */
  readonly entries: number | null;
  readonly amount: string;
}

/** How the amount comes about: opening, movements, closing, what stays. */
export function Basis({ found }: { found: SettlementDetail }) {
  const { currency, opening, sums, closing, keep, held, amount, pending } = found;
  const sum = (label: string, figure: string): BasisRow => ({ label, entries: null, amount: figure });
  const rows = [
    sum('Opening', opening),
    ...sums.map(({ kind, amount: figure, count }) => ({
      label: settlementKindWords[kind],
      entries: count,
      amount: figure,
    })),
    sum('Closing', closing),
    sum('Stays in the wallet', keep),
    ...(held === '0.00' ? [] : [sum('Held: its money is missing', held)]),
    sum('Settled amount', amount),
  ];
  return (
    <Panel title="What it is made of" isFlush>
      <Lines
        label="What the settlement is made of"
        rows={rows}
        rowKey={({ label }) => label}
        columns={[
          { title: 'Part', cell: (row) => <Part row={row} /> },
          {
            title: 'Amount',
            align: 'end',
            cell: (row) => <Money amount={row.amount} currency={currency} />,
          },
        ]}
      />
      <p className={`${styles.pending} soft`}>
        Not settled yet, because their days are not closed: <Money amount={pending} currency={currency} />
      </p>
    </Panel>
  );
}

function Part({ row: { label, entries } }: { row: BasisRow }) {
  if (entries === null) return <strong>{label}</strong>;
  return (
    <>
      {label} <span className="soft">{entries === 1 ? '1 entry' : `${entries} entries`}</span>
    </>
  );
}
