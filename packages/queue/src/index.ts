export { connectRedis, type RedisRole } from './connection.ts';
export { addJobs, openNudge, type RunningNudge } from './nudge.ts';
export { jobOptions, openQueue, type QueueName, queueOptions } from './queues.ts';
