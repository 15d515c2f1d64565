import * as z from 'zod';
import { processes } from '../every-process.ts';
import { serviceVariables } from '../services.ts';
import { variableFacts } from '../variable.ts';

/** Makes docs/running/configuration.md from the schemas of the processes' settings. */
export function renderPage(): string {
  return `${head}
## The services

The REST adapter, the API and the worker all read these.

${table(z.object(serviceVariables))}

${processes.map(({ title, schema }) => `## ${capital(title)}\n\n${section(schema)}`).join('\n\n')}

## Production

${production()}
`;
}

const head = `# Configuration

<!-- Made by \`npm run page\` in packages/settings out of the schemas there; a test fails when it differs. -->

A process reads its environment once, when it starts. An empty variable counts as absent.

It does not start if a variable is missing, wrong or unknown. It then reports all of them at once, without their values. A variable is unknown if its name:

- begins with \`TIDEGATE_\`, and no process reads it
- differs from a known name by one or two letters

Several processes can share one environment. Variables that Kubernetes adds for services are ignored.

**Secrets** can be in files: \`DATABASE_URL_FILE=/run/secrets/database-url\` instead of \`DATABASE_URL\`. The same works for each variable that is marked as secret.
A newline at the end is removed. A file has at most 64 KiB. A process does not start if both variables are set, or if the file is empty or cannot be read.
`;

function section(schema: z.ZodObject): string {
  const own = Object.entries(schema.shape).filter(([name, form]) => !isCommon(name, form));
  const services = Object.keys(serviceVariables).every((name) => name in schema.shape);
  const more = services ? 'In addition to the variables of [all services](#the-services), it reads:\n\n' : '';
  return more + table(z.object(services ? Object.fromEntries(own) : schema.shape));
}

function isCommon(name: string, form: unknown): boolean {
  return Object.entries(serviceVariables).some(([common, itsForm]) => common === name && itsForm === form);
}

function table(schema: z.ZodObject): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: variableFacts,
    unrepresentable: 'any',
  });
  const rows = Object.entries(schema.shape).map(([name, form]) => {
    const { description, unit = '', secret, preset } = variableFacts.get(form as z.ZodType) ?? { description: '' };
    const property = properties[name];
    const defaultValue = typeof property === 'object' ? property.default : undefined;
    const byDefault = required.includes(name)
      ? '**required**'
      : defaultValue === undefined
        ? (preset ?? 'none')
        : code(defaultValue);
    return `| \`${name}\` | ${description} | ${byDefault} | ${unit} | ${secret ? 'secret' : ''} |`;
  });
  return ['| Variable | What it is | Default | Unit | |', '|---|---|---|---|---|', ...rows].join('\n');
}

const code = (value: unknown) => (value === '' ? 'none' : `\`${value}\``);

function production(): string {
  const rules = processes.flatMap(({ rules: own }) => own).filter(({ inProduction }) => inProduction);
  const lines = new Set(rules.map(({ variable, reason }) => `- \`${variable}\` ${reason}.`));
  return `\`TIDEGATE_ENV=production\` checks these rules when a process starts, and refuses to start otherwise:\n\n${[...lines].join('\n')}\n${ofTheDatabase}`;
}

const ofTheDatabase = `- The database was never used by a sandbox. \`npm start\` marks a database before it writes demo keys, and the mark cannot be removed.
- No channel with an adapter of the sandbox is enabled, and none can be enabled. To disable one: \`npm run admin -- disable-channel <channel>\`.

Introspection and GraphiQL are off and cannot be turned on. \`npm start\` refuses \`TIDEGATE_ENV=production\`, and a database that has other merchants.`;

const capital = (title: string) => title.replace(/^[a-z]/, (letter) => letter.toUpperCase());
