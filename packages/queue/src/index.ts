export { askRedis } from './ask-redis.ts';
export { type CallLimiter, openCallLimiter } from './call-limiter.ts';
export { openAnnouncer, type RunningAnnouncer } from './changes.ts';
export { connectRedis, type RedisConnection } from './connection.ts';
export { isOutage } from './is-outage.ts';
export { listenToChanges, type RunningListener } from './listen-to-changes.ts';
export { fullChannelsKey, type Marks, openBreakersKey, readMarks } from './marks.ts';
export { jobOptions, openQueue, type QueueName, queueOptions } from './queues.ts';
export { addJobs, openWakeUps, type RunningWakeUps } from './wake-up.ts';
