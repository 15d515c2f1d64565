import { parsePrivateKey, signedHeaders } from '@tidegate/signature';

/** The envelope of every answer of the REST interface (decisions 1). */
export interface Envelope {
  code: number;
  msg: string;
  data: Record<string, unknown> | null;
}

export interface Answer extends Envelope {
  status: number;
  requestId: string | null;
}

/** A merchant's client, which signs every request with its private key. */
export interface MerchantClient {
  post(path: string, body: object | string): Promise<Answer>;
  get(path: string, query: Record<string, string>): Promise<Answer>;
}

/** `path` is relative to `/api/v1/merchant`, e.g. `/payin/create`. A text as body is signed and sent unchanged. */
export function merchantClient(restUrl: string, merchantNo: string, privateKeyPem: string): MerchantClient {
  const key = parsePrivateKey(privateKeyPem);
  const base = `${restUrl}/api/v1/merchant`;
  return {
    async post(path, body) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const headers = { ...(await signedHeaders({ merchantNo, body: text, key })), 'Content-Type': 'application/json' };
      return read(await fetch(base + path, { method: 'POST', headers, body: text }));
    },
    async get(path, query) {
      const text = new URLSearchParams(query).toString();
      const headers = await signedHeaders({ merchantNo, query: text, key });
      return read(await fetch(`${base}${path}${text === '' ? '' : `?${text}`}`, { headers }));
    },
  };
}

async function read(response: Response): Promise<Answer> {
  const envelope = (await response.json()) as Envelope;
  return { ...envelope, status: response.status, requestId: response.headers.get('x-request-id') };
}
