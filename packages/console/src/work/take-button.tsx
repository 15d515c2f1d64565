import { Button, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { blockedBy } from '../actions/allowed.tsx';
import { useWhyNot } from '../actions/operation.ts';
import { sendMutation } from '../actions/send-mutation.ts';
import {
  type AllowedPartsFragment,
  type AssignmentPartsFragment,
  ReleaseWorkDocument,
  TakeWorkDocument,
} from '../generated/documents.generated.ts';
import { useMe } from '../session/use-me.ts';
import { assigneeWords } from './assign-work.tsx';
import styles from './work.module.css';

interface TakeProps {
  /** Global id of the order, case or break. */
  on: string;
  assignment: AssignmentPartsFragment | null;
  /** Undefined: the API does not list them, and roles decide. */
  actions: readonly AllowedPartsFragment[] | undefined;
  refresh(): void;
}

/** Shows who works on the item, with a button to take or release it. This only informs other operators. */
export function TakeButton({ on, assignment, actions, refresh }: TakeProps) {
  const client = useClient();
  const { operatorId } = useMe();
  const [problem, setProblem] = useState<string | null>(null);
  const whyNot = useWhyNot();
  const blocked = actions
    ? blockedBy(actions, assignment === null ? 'TAKE_WORK' : 'RELEASE_WORK')
    : whyNot(assignment === null ? 'takeWork' : 'releaseWork');
  const run = async () => {
    const sent = await (assignment === null
      ? sendMutation(client, TakeWorkDocument, { on })
      : sendMutation(client, ReleaseWorkDocument, { on }));
    setProblem(sent.state === 'refused' ? sent.message : null);
    refresh();
  };
  return (
    <span className={styles.take}>
      <span className="soft" role="status">
        {problem ?? assigneeWords(assignment, operatorId)}
      </span>
      <Tooltip label={blocked} disabled={blocked === null} events={{ hover: true, focus: true, touch: true }}>
        <Button
          variant="default"
          data-disabled={blocked !== null || undefined}
          aria-disabled={blocked !== null || undefined}
          onClick={() => blocked === null && void run()}
        >
          {assignment === null ? 'Take' : 'Release'}
        </Button>
      </Tooltip>
    </span>
  );
}
