import * as z from 'zod';
import { text, webUrl, wholeNumberOr } from './schemas.ts';
import { domainVariables, environmentNames, serviceVariables } from './services.ts';
import { defineSettings, variableFacts } from './variable.ts';

const ownUpstreamSecret = text().min(16, 'has to have 16 characters at least').register(variableFacts, {
  description: 'Secret shared with the sandbox channel, for signatures.',
  secret: true,
});

/** The number of consecutive ports that `npm start` uses, beginning with its base port. */
export const portSpan = 12;

/** The data folder of a sandbox. Programs that look for a running sandbox use it too. */
export const dataDir = text().prefault('.data').register(variableFacts, {
  description: 'The folder of a sandbox.',
});

export const sandboxSettings = defineSettings({
  title: '`npm start`',
  schema: z.object({
    TIDEGATE_ENV: z
      .enum(environmentNames, 'has to be sandbox or production')
      .prefault('sandbox')
      .register(variableFacts, {
        description: 'Only `sandbox`.',
      }),
    DATABASE_URL: domainVariables.DATABASE_URL.optional().register(variableFacts, {
      description: 'Your own PostgreSQL 18 database, empty or with only a sandbox in it.',
      secret: true,
      preset: 'a private one',
    }),
    REDIS_URL: serviceVariables.REDIS_URL.optional().register(variableFacts, {
      description: 'Your own Redis, as for the services.',
      secret: true,
      preset: 'a private one',
    }),
    TIDEGATE_DATA_DIR: dataDir,
    TIDEGATE_PORT_BASE: wholeNumberOr(8_080, 1, 65_536 - portSpan).register(variableFacts, {
      description: `The first of the ports: base+0 to base+${portSpan - 1}.`,
    }),
    TIDEGATE_SCHEDULE_SCALE: domainVariables.TIDEGATE_SCHEDULE_SCALE,
  }),
  rules: [
    {
      variable: 'TIDEGATE_ENV',
      reason:
        'is production, and npm start runs the sandbox, whose demo merchants and channel production refuses: docs/running/configuration.md says what each process of a production needs',
      broken: (settings) => settings.TIDEGATE_ENV === 'production',
    },
  ],
});

export const sandboxUpstreamSettings = defineSettings({
  title: 'the sandbox upstream',
  schema: z.object({
    PORT: serviceVariables.PORT,
    HOST: serviceVariables.HOST,
    STATE_FILE: text().min(1).register(variableFacts, { description: 'File that stores its orders across restarts.' }),
    SANDBOX_UPSTREAM_SECRET: ownUpstreamSecret,
  }),
  rules: [],
});

export const receiverSettings = defineSettings({
  title: 'the demo receiver',
  schema: z.object({
    PORT: wholeNumberOr(8_091, 0, 65_535).register(variableFacts, { description: 'The port to listen on.' }),
    HOST: serviceVariables.HOST,
    RECEIVER_SERVICE_KEY_URL: webUrl().register(variableFacts, {
      description: '`/.well-known/keys` of the REST adapter.',
    }),
    RECEIVED_FILE: text().optional().register(variableFacts, {
      description: 'File that stores received notifications across restarts.',
      preset: 'nowhere',
    }),
  }),
  rules: [],
});
