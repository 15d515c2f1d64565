import { isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from './schema/schema.ts';

// A renamed field keeps its old name for one release. Both names have the same value.

test('each old name is deprecated, and says which name to use', () => {
  const found = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter(({ deprecationReason }) => deprecationReason != null)
        .map(({ name, deprecationReason }) => {
          const [, replacement = ''] = /^Use (\w+)\.$/.exec(deprecationReason ?? '') ?? [];
          expect(String(type.getFields()[replacement]?.type), `${type.name}.${name}`).toBe(
            String(type.getFields()[name]?.type),
          );
          return `${type.name}.${name} → ${replacement}`;
        }),
    );
  expect(found.toSorted()).toEqual([]);
});
