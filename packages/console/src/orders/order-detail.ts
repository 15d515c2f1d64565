import type { OrderDetailQuery } from '../generated/documents.generated.ts';

/** An order as its page reads it. */
export type OrderDetail = NonNullable<OrderDetailQuery['order']>;

/** A notification of it, with its attempts. */
export type OrderNotification = OrderDetail['notifications']['edges'][number]['node'];
