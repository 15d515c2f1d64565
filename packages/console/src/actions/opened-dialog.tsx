import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useStore } from '../state/store.ts';
import { openedAction } from './open-action.ts';

const close = () => openedAction.set(null);
// A separate file, so that the console's first load is smaller. Screens with actions load it with their own code.
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
