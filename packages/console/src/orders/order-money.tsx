import { groupCount } from '../format/money.ts';
import { plainWords, type Word } from '../format/words.ts';
import type { PaymentUse } from '../generated/documents.generated.ts';
import { Copyable } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import styles from './order.module.css';
import type { OrderDetail } from './order-detail.ts';

/** What became of a payment. */
const USES: Readonly<Record<PaymentUse, Word>> = {
  CREDITED: { label: 'Credited', tone: 'good' },
  PART: { label: 'Part of the amount', tone: 'info' },
  EVIDENCE: { label: 'Evidence', tone: 'info' },
  RETURNED: { label: 'Returned', tone: 'idle' },
  SUSPENSE: { label: 'In suspense', tone: 'warn' },
  UNASKED: { label: 'Not asked for', tone: 'warn' },
};

/** Payments that the channel reported, and transfers of the ledger. */
export function OrderMoney({ order }: { order: OrderDetail }) {
  return (
    <>
      <Payments order={order} />
      <Transfers order={order} />
    </>
  );
}

function Payments({ order: { payments, currency } }: { order: OrderDetail }) {
  if (payments.edges.length === 0) return null;
  return (
    <Panel title="Payments" side={groupCount(payments.totalCount)} isFlush>
      <div className={styles.wide}>
        <table className={styles.lines}>
          <thead>
            <tr>
              <th scope="col">Bank reference</th>
              <th scope="col">Use</th>
              <th scope="col" className={styles.end}>
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {payments.edges.map(({ node }) => (
              <tr key={`${node.channelId} ${node.reference}`}>
                <td>
                  <Copyable text={node.reference} what="bank reference" />
                  <div className="soft">
                    <Time at={node.receivedAt} />
                  </div>
                </td>
                <td>
                  <Status word={USES[node.use]} />
                </td>
                <td className={styles.end}>
                  <Money amount={node.amount} currency={currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Transfers({ order: { transfers } }: { order: OrderDetail }) {
  if (transfers.edges.length === 0) return null;
  return (
    <Panel title="Transfers" side={groupCount(transfers.totalCount)} isFlush>
      <div className={styles.wide}>
        <table className={styles.lines}>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col" className={styles.end}>
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {transfers.edges.map(({ node }) => (
              <tr key={node.transferNo} title={`Transfer ${node.transferNo}: ${plainWords(node.cause)}`}>
                <td>{accountName(node.debit)}</td>
                <td>{accountName(node.credit)}</td>
                <td className={styles.end}>
                  <Money amount={node.amount} currency={node.currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

/** An account of the ledger in words: `channel:sandbox` is `Channel sandbox`. */
export function accountName(account: string): string {
  const [name = '', id] = account.split(':');
  return id === undefined ? plainWords(name) : `${plainWords(name)} ${id}`;
}
