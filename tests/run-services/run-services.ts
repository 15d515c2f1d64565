import type { Seed } from './seeded-databases.ts';

/** What one run of the tests has for all of its files. */
export interface RunServices {
  /** The first of 19 free ports in a row that no other test gets. */
  reservePorts(): Promise<number>;
  seedKeys(): Promise<Omit<Seed, 'databaseUrl'>>;
  seedDatabase(receiverUrl: string): Promise<Seed>;
  /** An empty Redis for one caller. */
  newRedis(): Promise<string>;
  /** The WebSocket address of the run's Chromium. The first caller starts it. */
  browser(): Promise<string>;
}
