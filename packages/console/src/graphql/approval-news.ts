import { useEffect, useEffectEvent } from 'react';
import { createStore } from '../state/store.ts';

/** The approval that changed last; null: any approval may have changed. The badge in the navigation sets it. */
export const approvalNews = createStore<{ readonly approvalId: string | null }>({ approvalId: null });

/** Calls `read` when an approval has changed. `approvalId`: only for this approval. */
export function useApprovalNews(read: () => void, approvalId?: string): void {
  const act = useEffectEvent(read);
  useEffect(
    () =>
      approvalNews.subscribe(() => {
        const moved = approvalNews.get().approvalId;
        if (moved === null || approvalId === undefined || moved === approvalId) act();
      }),
    [approvalId],
  );
}
