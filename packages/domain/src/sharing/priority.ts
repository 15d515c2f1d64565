/** What waits for a shared resource, the most urgent first. */
export const priorities = ['payout', 'poll', 'create'] as const;
export type Priority = (typeof priorities)[number];

/** The owner of what belongs to no merchant, such as the fetching of a statement. */
export const platform = 'platform';

/**
 * By how many of its own turns an owner may be ahead of its share for work of this priority. So a payout overtakes
 * creates of all owners. An owner that sends nothing but payouts still gets no more than its share in the long run.
 */
export const headStart: Readonly<Record<Priority, number>> = { payout: 16, poll: 4, create: 0 };

/** After so many turns of an owner that passed over its less urgent work, this work gets one. */
export const passedOverLimit = 8;
