import { Kbd } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, type Ref, useState } from 'react';
import { opensOnly } from '../list/use-open-only.ts';
import { Icon } from '../parts/icon.tsx';
import styles from './shell.module.css';

/** A whole order number of the service. */
const ORDER_NO = /^P[IO][0-9A-Z]{10,}$/;

/**
 * Finds orders from every screen. A complete order number opens its order. A text that only one order has opens this
 * order.
 */
export function SearchBox({ ref }: { ref: Ref<HTMLInputElement> }) {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted === '') return;
    if (ORDER_NO.test(wanted)) void navigate({ to: '/orders/$orderNo', params: { orderNo: wanted } });
    else void navigate({ to: '/orders', search: { search: wanted }, state: opensOnly(wanted) });
    event.currentTarget.querySelector('input')?.blur();
  };
  const leave = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') event.currentTarget.blur();
  };
  return (
    <search className={styles.search}>
      <form onSubmit={submit}>
        <Icon name="search" />
        <input
          ref={ref}
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={leave}
          aria-label="Search orders"
          placeholder="Order, reference, account, phone, name"
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
        />
        <Kbd className={styles.searchKey} size="xs">
          /
        </Kbd>
      </form>
    </search>
  );
}
