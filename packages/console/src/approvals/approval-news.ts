import { useEffect, useEffectEvent } from 'react';
import { createStore } from '../preferences/store.ts';

/** The approval that moved last; null: any may have moved. The badge in the navigation keeps it. */
export const approvalNews = createStore<{ readonly approvalId: string | null }>({ approvalId: null });

/** Calls `read` when an approval moves. `approvalId`: only for this one. */
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
