import type { SettlementState } from '../generated/documents.generated.ts';
import { Notice } from '../parts/notice.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';
import { type SettlementDetail, settlementStateWords, storyOf } from './settlement-words.ts';
import styles from './settlements.module.css';

interface Step {
  readonly name: string;
  /** The time of the step; null: it is not done yet. */
  readonly at: string | null;
}

/** How far a settlement has come, what its state means, and where the next step is. */
export function SettlementSteps({ found }: { found: SettlementDetail }) {
  const steps = stepsOf(found);
  const next = steps.findIndex(({ at }) => at === null);
  const link = nextScreen(found);
  return (
    <>
      <ol className={styles.steps} aria-label="Steps of the settlement">
        {steps.map(({ name, at }, i) => (
          <li key={name} data-done={at !== null} aria-current={i === next ? 'step' : undefined}>
            <span className={styles.stepMark} aria-hidden="true">
              {at === null ? i + 1 : '✓'}
            </span>
            <span>
              {name}
              <span className={styles.stepTime}>{at === null ? i === next ? 'Next' : '–' : <Time at={at} />}</span>
            </span>
          </li>
        ))}
      </ol>
      <Notice
        tone={settlementStateWords[found.state].tone}
        action={link && <ScreenLink to={link[0]}>{link[1]}</ScreenLink>}
      >
        {storyOf(found)}
      </Notice>
    </>
  );
}

/** After a failure nothing is next. */
function stepsOf({ draftedAt, approvedAt, paidAt, confirmedAt, failedAt }: SettlementDetail): Step[] {
  const done: Step[] = [
    { name: 'Drafted', at: draftedAt },
    { name: 'Approved', at: approvedAt },
    { name: 'Paid', at: paidAt },
    { name: 'Confirmed', at: confirmedAt },
  ];
  return failedAt === null ? done : [...done.filter(({ at }) => at !== null), { name: 'Failed', at: failedAt }];
}

/** Where the next step is, if it is on another screen. */
function nextScreen({ state, channelId }: SettlementDetail): readonly [to: string, text: string] | null {
  const screens: Partial<Record<SettlementState, readonly [to: string, text: string]>> = {
    APPROVED: ['/settlements/files', 'Create a bank file'],
    PAID: ['/reconciliation/statements/new', 'Import a statement'],
  };
  return channelId === null ? (screens[state] ?? null) : null;
}
