import { formatPercent } from '../format/money.ts';
import type { ValuePartsFragment } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Time } from '../parts/time.tsx';

/** A value as its kind is written: money, percent, time, yes or no. */
export function TypedValue({ value }: { value: ValuePartsFragment | null }) {
  if (value === null) return <span className="soft">none</span>;
  switch (value.__typename) {
    case 'MoneyValue':
      return <Money amount={value.amount} currency={value.currency} />;
    case 'PercentValue':
      return <span className="figures">{formatPercent(value.percent)}</span>;
    case 'TimeValue':
      return <Time at={value.time} />;
    case 'NumberValue':
      return <span className="figures">{value.number}</span>;
    case 'SwitchValue':
      return <>{value.isOn ? 'Yes' : 'No'}</>;
    case 'ListValue':
      return <>{value.items.length === 0 ? 'none' : value.items.join(', ')}</>;
    case 'SecretValue':
      return <span className="soft">{value.names.join(', ')} (secret)</span>;
    case 'TextValue':
      return <>{value.text}</>;
    default:
      return value satisfies never;
  }
}
