import { Panel } from '../parts/page.tsx';
import styles from './approvals.module.css';

interface EffectProps {
  /** What the two operators agree on, a sentence each. */
  effect: readonly string[];
  /** What it would have done at its approval; null: nothing was different. */
  effectNow: readonly string[] | null;
}

/** What it does to money, statuses and notifications. If that changed, both effects side by side with their differences marked. */
export function Effect({ effect, effectNow }: EffectProps) {
  if (effectNow === null)
    return effect.length === 0 ? null : (
      <Panel title="What it does to money and statuses">
        <Sentences sentences={effect} other={effect} />
      </Panel>
    );
  return (
    <Panel title="Its effect changed before it was approved">
      <div className={styles.effects}>
        <section>
          <h3>When it was requested</h3>
          <Sentences sentences={effect} other={effectNow} />
        </section>
        <section>
          <h3>When it was approved</h3>
          <Sentences sentences={effectNow} other={effect} />
        </section>
      </div>
    </Panel>
  );
}

function Sentences({ sentences, other }: { sentences: readonly string[]; other: readonly string[] }) {
  if (sentences.length === 0) return <p className="soft">Nothing.</p>;
  return (
    <ul className={styles.effect}>
      {[...new Set(sentences)].map((sentence) => (
        <li key={sentence}>{other.includes(sentence) ? sentence : <mark>{sentence}</mark>}</li>
      ))}
    </ul>
  );
}
