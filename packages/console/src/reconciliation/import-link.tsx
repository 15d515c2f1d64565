import { ActionLink } from '../actions/action-link.tsx';

/** Leads to the page that imports a statement, for those who may import one. */
export function ImportLink() {
  return (
    <ActionLink operation="importStatement" to="/reconciliation/statements/new">
      Import a statement
    </ActionLink>
  );
}
