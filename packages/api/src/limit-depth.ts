import {
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/**
 * A validation rule that refuses operations whose fields nest deeper than `maxDepth`, fragments followed.
 * Introspection does not count: where it is allowed, it is as deep as it is.
 */
export function limitDepth(maxDepth: number): ValidationRule {
  return function LimitDepth(context) {
    const depthOf = depthMeter(context);
    return {
      OperationDefinition: (node) => {
        const depth = depthOf(node.selectionSet);
        if (depth <= maxDepth) return;
        context.reportError(
          new GraphQLError(`fields nest ${depth} deep, at most ${maxDepth} are allowed`, { nodes: node }),
        );
      },
    };
  };
}

/** Measures each fragment once, however often it is spread. */
function depthMeter(context: ValidationContext): (set: SelectionSetNode) => number {
  const measured = new Map<FragmentDefinitionNode, number>();
  const depthOf = (set: SelectionSetNode): number => {
    let deepest = 0;
    for (const selection of set.selections) {
      switch (selection.kind) {
        case Kind.FIELD:
          if (selection.name.value.startsWith('__')) continue;
          deepest = Math.max(deepest, 1 + (selection.selectionSet ? depthOf(selection.selectionSet) : 0));
          break;
        case Kind.INLINE_FRAGMENT:
          deepest = Math.max(deepest, depthOf(selection.selectionSet));
          break;
        case Kind.FRAGMENT_SPREAD: {
          const fragment = context.getFragment(selection.name.value);
          if (fragment) deepest = Math.max(deepest, depthOfFragment(fragment));
          break;
        }
        default:
          selection satisfies never;
      }
    }
    return deepest;
  };
  const depthOfFragment = (fragment: FragmentDefinitionNode): number => {
    const known = measured.get(fragment);
    if (known !== undefined) return known;
    // Met again below itself it counts nothing; that it is a circle is another rule's to say.
    measured.set(fragment, 0);
    const depth = depthOf(fragment.selectionSet);
    measured.set(fragment, depth);
    return depth;
  };
  return depthOf;
}
