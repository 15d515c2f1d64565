import { alone } from './kinds/alone.ts';
import { callRate } from './kinds/call-rate.ts';
import { creates } from './kinds/creates.ts';
import { growth } from './kinds/growth.ts';
import { hangingChannel } from './kinds/hanging-channel.ts';
import { life } from './kinds/life.ts';
import { notifications } from './kinds/notifications.ts';
import { openLoop } from './kinds/open-loop.ts';
import { pages } from './kinds/pages.ts';
import { peers } from './kinds/peers.ts';
import { processes } from './kinds/processes.ts';
import { queries } from './kinds/queries.ts';
import { sandbox } from './kinds/sandbox.ts';
import { search } from './kinds/search.ts';
import { besideUnknownCallers } from './kinds/unknown-callers.ts';
import { writers } from './kinds/writers.ts';
import type { Kind } from './row.ts';

/** All kinds of measurements, in the order in which they run. */
export const kinds: readonly Kind[] = [
  creates,
  alone,
  queries,
  besideUnknownCallers,
  notifications,
  hangingChannel,
  callRate,
  pages,
  search,
  growth,
  sandbox,
  peers,
  openLoop,
  processes,
  writers,
  life,
];
