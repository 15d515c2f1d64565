/** Where the domain logs: ids and outcomes, never personal data, keys or signatures. pino's logger fits. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Who is told of figures. */
export interface Observer {
  batch?(batch: { size: number; waitedMs: number; tookMs: number }): void;
  channelCall?(call: { channelId: string; operation: string; outcome: string; ms: number }): void;
}
