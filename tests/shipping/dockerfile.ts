import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DockerfileParser, ModifiableInstruction } from 'dockerfile-ast';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Step {
  /** In capitals: COPY, RUN … */
  word: string;
  /** `from` of `--from=build`, and so on. */
  flags: Readonly<Record<string, string>>;
  /** The rest of the line, its continuations joined. */
  text: string;
}

export interface Stage {
  name: string;
  /** An image, or an earlier stage. */
  base: string;
  steps: readonly Step[];
}

/** The stages of the repository's Dockerfile, with its build arguments at their defaults. */
export function readStages(): Stage[] {
  const stages: Stage[] = [];
  const presets = new Map<string, string>();
  for (const instruction of DockerfileParser.parse(readFileSync(`${ROOT}Dockerfile`, 'utf8')).getInstructions()) {
    const word = instruction.getInstruction().toUpperCase();
    const text = (instruction.getArgumentsContent() ?? '').replaceAll(/\\\n\s*/g, '');
    const flags = instruction instanceof ModifiableInstruction ? instruction.getFlags() : [];
    if (word === 'ARG') {
      const [name = '', preset = ''] = text.split(/=(.*)/s);
      presets.set(name, preset);
    } else if (word === 'FROM') {
      const [base = '', , name = ''] = text.split(/\s+/);
      stages.push({ name, base: base.replace(/^\$\{(.+)\}$/, (_, key) => presets.get(key) ?? ''), steps: [] });
    } else {
      const step = {
        word,
        flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
        text,
      };
      stages.push({ ...lastOf(stages), steps: [...lastOf(stages).steps, step] });
      stages.splice(-2, 1);
    }
  }
  return stages;
}

function lastOf(stages: readonly Stage[]): Stage {
  const last = stages.at(-1);
  if (!last) throw new Error('the Dockerfile has to begin with FROM');
  return last;
}

/** A stage's steps, after those of the stages that it is based on. */
export function stepsOf(stages: readonly Stage[], name: string): Step[] {
  const stage = stages.find((one) => one.name === name);
  return stage ? [...stepsOf(stages, stage.base), ...stage.steps] : [];
}
