import type { Log } from '@tidegate/domain';

/** Logs an outage of `who` once, and its end. */
export function logOnce(log: Log, fields: object, who: string): { began(error: Error): void; ended(): void } {
  let isAway = false;
  return {
    began: (error) => {
      if (!isAway) log.warn({ err: error, ...fields }, `${who} is unavailable`);
      isAway = true;
    },
    ended: () => {
      if (isAway) log.info(fields, `${who} is back`);
      isAway = false;
    },
  };
}
