import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './actions.module.css';
import { type OperationName, useWhyNot } from './operation.ts';

interface ActionLinkProps {
  operation: OperationName;
  to: string;
  children: ReactNode;
}

/** A link to the page of an operation, for operators who may run it. It looks like a button. */
export function ActionLink({ operation, to, children }: ActionLinkProps) {
  if (useWhyNot()(operation) !== null) return null;
  return (
    <Link to={to as '/'} className={styles.link}>
      {children}
    </Link>
  );
}
