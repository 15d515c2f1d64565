import { type ASTNode, GraphQLError, Kind, type SelectionSetNode, type ValidationRule } from 'graphql';

/** Limits of elements that are cheap to write and expensive to answer. */
const limits = { aliases: 60, directives: 30, fragments: 40, operations: 10 } as const;
/** The most root fields of an operation. Each is a separate query or mutation. */
const rootFieldLimits = { query: 20, mutation: 5, subscription: 1 } as const;

/** A validation rule that refuses documents with too many aliases, directives, fragments, operations or fields at the root. */
export const limitCounts: ValidationRule = (context) => {
  const counts = { aliases: 0, directives: 0, fragments: 0, operations: 0 };
  const count = (what: keyof typeof counts, node: ASTNode): void => {
    counts[what] += 1;
    // Reported once, so that a flood of violations gives one error.
    if (counts[what] === limits[what] + 1) refuse(`more than ${limits[what]} ${what}`, node);
  };
  const refuse = (what: string, node: ASTNode): void =>
    context.reportError(new GraphQLError(`the document has ${what}, which is not allowed`, { nodes: node }));
  // Each fragment is counted once. Otherwise fragments within fragments would take forever.
  const counted = new Map<string, number>();
  const rootFields = (set: SelectionSetNode): number => {
    let fields = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) fields += 1;
      else if (selection.kind === Kind.INLINE_FRAGMENT) fields += rootFields(selection.selectionSet);
      else fields += rootFieldsOf(selection.name.value);
    }
    return fields;
  };
  const rootFieldsOf = (name: string): number => {
    const known = counted.get(name);
    if (known !== undefined) return known;
    // A fragment that contains itself counts as nothing. Another rule reports the cycle.
    counted.set(name, 0);
    const fragment = context.getFragment(name);
    const fields = fragment ? rootFields(fragment.selectionSet) : 0;
    counted.set(name, fields);
    return fields;
  };
  return {
    Field: (node) => {
      if (node.alias) count('aliases', node);
    },
    Directive: (node) => count('directives', node),
    FragmentDefinition: (node) => count('fragments', node),
    OperationDefinition: (node) => {
      count('operations', node);
      const limit = rootFieldLimits[node.operation];
      const fields = rootFields(node.selectionSet);
      if (fields > limit) refuse(`${fields} fields at the root of a ${node.operation} (at most ${limit})`, node);
    },
  };
};
