import type { Domain } from '@tidegate/domain';
import { setChannel } from '@tidegate/domain/admin';
import { bareAdapter, FakeChannel } from '@tidegate/domain/testing';

/** A channel of the sandbox's adapter, with its secret sealed for all purposes. Other processes open it. */
export async function setSandboxChannel(
  domain: Domain,
  channel: { channelId: string; baseUrl: string; secret: string },
): Promise<void> {
  const { channelId, baseUrl, secret } = channel;
  const declared = { ...domain, adapters: { sandbox: bareAdapter(() => new FakeChannel()) } };
  await setChannel(declared, { channelId, adapter: 'sandbox', baseUrl, credentials: { secret } });
}
