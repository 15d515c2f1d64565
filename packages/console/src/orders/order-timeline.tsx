import { Button } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { messageOf } from '../format/error-words.ts';
import { OrderTimelineDocument, type TimelinePageFragment } from '../generated/documents.generated.ts';
import { Notice } from '../parts/notice.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { describeEvent } from './describe-event.tsx';
import styles from './order.module.css';
import type { OrderDetail } from './order-detail.ts';

type Edge = TimelinePageFragment['edges'][number];

/** All events of the order, oldest first. Long ones are read page by page. */
export function OrderTimeline({ order, withPersonal }: { order: OrderDetail; withPersonal: boolean }) {
  const client = useClient();
  const [more, setMore] = useState<{ edges: readonly Edge[]; hasNext: boolean; after: string | null } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { edges, pageInfo } = order.timeline;
  const hasNext = more?.hasNext ?? pageInfo.hasNextPage;
  const readMore = async () => {
    const after = more?.after ?? pageInfo.endCursor;
    const variables = { orderNo: order.orderNo, after, withPersonal };
    const { data, error } = await client.query(OrderTimelineDocument, variables).toPromise();
    const next = data?.order?.timeline;
    if (!next) return setProblem(error ? messageOf(error) : 'The events could not be read.');
    setProblem(null);
    return setMore({
      edges: [...(more?.edges ?? []), ...next.edges],
      hasNext: next.pageInfo.hasNextPage,
      after: next.pageInfo.endCursor,
    });
  };
  return (
    <>
      <Timeline
        items={[...edges, ...(more?.edges ?? [])].map(({ cursor, node }) => ({
          key: cursor,
          at: node.at,
          ...describeEvent(node, order),
        }))}
      />
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      {hasNext && (
        <Button className={styles.more} variant="default" size="compact-sm" onClick={() => void readMore()}>
          Show later events
        </Button>
      )}
    </>
  );
}
