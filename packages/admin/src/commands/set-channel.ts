import { changeConfiguration, platformTenant, setChannel } from '@tidegate/domain';
import { channelAdapters } from '@tidegate/upstream';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, given, oneOf, optional, required } from '../fields.ts';
import { channelId, count, path, url } from '../readers.ts';

/** Besides the installed adapters: what carries orders without a channel's API. */
const withoutApi = ['market', 'manual'];

export const setChannelCommand = defineCommand({
  name: 'set-channel',
  group: 'Channels',
  summary:
    'set a channel up, or change it; its credentials come from a file or standard input, never from the command line',
  kind: 'change',
  role: 'admin',
  fields: {
    channelId: argument('<channel>', 'its id: 2 to 32 small letters, digits or hyphens', channelId),
    adapter: required(
      '--adapter <adapter>',
      [...Object.keys(channelAdapters), ...withoutApi].join(', '),
      oneOf(...Object.keys(channelAdapters), ...withoutApi),
    ),
    baseUrl: optional('--base-url <url>', "where the channel's API is", url),
    file: optional('--credentials-file <path>', 'a JSON object of texts; - reads standard input', path),
    payinExpirySeconds: optional(
      '--payin-expiry-seconds <n>',
      'how long a payin may stay unpaid (default 1800)',
      count,
    ),
  },
  async run({ domain, by, readInput }, { channelId, adapter, baseUrl, file, ...rest }) {
    const callsOut = !withoutApi.includes(adapter);
    if (callsOut && (baseUrl === undefined || file === undefined))
      return refused(`the adapter ${adapter} needs --base-url and --credentials-file`);
    const credentials = readCredentials(file === undefined ? '{}' : await readInput(file));
    if (!credentials) return refused(`${file} does not hold a JSON object of texts, such as {"secret": "…"}`);
    const settings = { adapter, baseUrl: baseUrl ?? '', credentialNames: Object.keys(credentials), ...given(rest) };
    const change = { merchantId: platformTenant, change: 'setChannel', subject: channelId, settings };
    await changeConfiguration(domain, change, by, async () => {
      await setChannel(domain, { channelId, adapter, baseUrl: baseUrl ?? '', credentials, ...given(rest) });
      return true;
    });
    return done(`Channel ${channelId} is set.`, { channelId, ...settings });
  },
});

function readCredentials(text: string): Record<string, string> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return entries.length === Object.keys(value).length ? Object.fromEntries(entries) : null;
  } catch {
    // The parser's message would repeat what stands in the file.
    return null;
  }
}
