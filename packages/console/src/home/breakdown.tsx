import { Link } from '@tanstack/react-router';
import { groupCount } from '../format/money.ts';
import { countryNames, orderKindWords } from '../format/words.ts';
import type { HomeFiguresQuery } from '../generated/documents.generated.ts';
import { Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Empty, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Change } from './change.tsx';
import { type DimensionName, dimensions } from './dimensions.ts';
import styles from './home.module.css';
import { rateOf } from './totals.tsx';

type Figures = HomeFiguresQuery['parts'];
type Group = NonNullable<Figures>['groups'][number];

/** The day by country, kind, channel or merchant, compared with yesterday until the same time. */
export function Breakdown({ by, parts }: { by: DimensionName; parts: Figures }) {
  const rows = parts?.groups ?? [];
  const keyOf = (group: Group) => [group.currency, group.country, group.kind, group.channelId, group.merchantId].join();
  const before = new Map(parts?.comparison?.groups.map((group) => [keyOf(group), group]));
  return (
    <Panel title="Today by" side={<Choice by={by} />} isFlush>
      {rows.length === 0 ? (
        <Empty title="Nothing today yet" />
      ) : (
        <Lines
          label={`Today by ${dimensions[by].label.toLowerCase()}`}
          rows={rows}
          rowKey={keyOf}
          columns={[
            { title: dimensions[by].label, cell: nameOf },
            ...(by === 'kind'
              ? []
              : [{ title: 'Kind', cell: ({ kind }: Group) => kind && orderKindWords[kind].label }]),
            { title: 'Orders', align: 'end', cell: ({ orders }) => groupCount(orders) },
            { title: 'Success', align: 'end', cell: ({ successRate }) => rateOf(successRate) },
            {
              title: 'Yesterday',
              align: 'end',
              cell: (group) => <span className="soft">{rateOf(before.get(keyOf(group))?.successRate ?? null)}</span>,
            },
            {
              title: 'Completed',
              align: 'end',
              cell: ({ completedAmount, currency }) => <Money amount={completedAmount} currency={currency} />,
            },
            {
              title: '±',
              align: 'end',
              cell: (group) => (
                <Change
                  now={Number(group.completedAmount)}
                  before={Number(before.get(keyOf(group))?.completedAmount ?? 0)}
                />
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

function nameOf({ country, kind, channelId, merchantId }: Group) {
  if (country) return countryNames[country] ?? country;
  if (channelId) return <ScreenLink to={`/channels/${channelId}`}>{channelId}</ScreenLink>;
  if (merchantId) return <ScreenLink to={`/merchants/${merchantId}`}>{merchantId}</ScreenLink>;
  return kind ? orderKindWords[kind].label : '–';
}

function Choice({ by }: { by: DimensionName }) {
  return (
    <nav className={styles.choice} aria-label="Divide by">
      {Object.entries(dimensions).map(([name, { label }]) => (
        <Link
          key={name}
          to="/"
          search={{ by: name as DimensionName }}
          aria-current={name === by ? 'true' : undefined}
          replace
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
