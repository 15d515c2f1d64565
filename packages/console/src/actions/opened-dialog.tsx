import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useStore } from '../preferences/store.ts';
import { openedAction } from './open-action.ts';

const close = () => openedAction.set(null);
// Not in the first load: the screens that open it have it.
const ActionDialog = lazy(async () => ({ default: (await import('./action-dialog.tsx')).ActionDialog }));

/** The dialog of the action that is open. It closes when another page or list is shown. */
export function OpenedDialog() {
  const opened = useStore(openedAction);
  const url = useRouterState({ select: ({ location }) => location.href });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new URL closes it.
  useEffect(() => close, [url]);
  return (
    opened && (
      <Suspense>
        <ActionDialog action={opened.action} close={close} onDone={opened.onDone} />
      </Suspense>
    )
  );
}
