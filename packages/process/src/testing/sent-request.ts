/** A request of a test, without its host. */
export interface SentRequest {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** An order to the sending process: to prepare a list of requests, and then to send them one after the other. */
export type Order = { port: number; requests: SentRequest[] } | 'send';

/** Its answers: ready to send, and then the HTTP status of each request. */
export type Answer = 'ready' | { statuses: number[] };
