import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { countryNames, roleWords } from '../format/words.ts';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import { TIME_ZONES, timeZone } from '../preferences/time-zone.ts';
import { problemOfSession, session, signOut } from '../session/session.ts';
import { useMe } from '../session/use-me.ts';
import { useStore } from '../state/store.ts';
import styles from './shell.module.css';

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'As the system' },
] as const;

/** Who is signed in, time zone, colours, signing out. */
export function AccountMenu({ showShortcuts }: { showShortcuts(): void }) {
  const me = useMe();
  const name = useStore(session)?.operator?.name;
  const [problem, setProblem] = useState<string | null>(null);
  const leave = (everywhere: boolean) => {
    signOut(everywhere).catch((error: unknown) => setProblem(problemOfSession(error)));
  };
  return (
    <Menu position="bottom-end" width={260} onClose={() => setProblem(null)}>
      <Menu.Target>
        <button type="button" className={styles.account}>
          <span className={styles.initial} data-initial={me.operatorId.charAt(0).toUpperCase()} />
          <span className="hidden-visually">Account of </span>
          <span className={styles.accountName}>{me.operatorId}</span>
          <Icon name="down" size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.whoami}>
          <strong>{name ?? me.operatorId}</strong>
          {name !== undefined && <span>{me.operatorId}</span>}
          <span>{me.roles.map((role) => roleWords[role] ?? role).join(', ')}</span>
          {me.countries && (
            <span>Only {me.countries.map((country) => countryNames[country] ?? country).join(', ')}</span>
          )}
          {me.merchantIds && <span>Only {me.merchantIds.join(', ')}</span>}
        </div>
        <Menu.Divider />
        <ZoneChoice />
        <SchemeChoice />
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="keyboard" />} onClick={showShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item closeMenuOnClick={false} onClick={() => leave(false)}>
          Sign out
        </Menu.Item>
        <Menu.Item closeMenuOnClick={false} onClick={() => leave(true)}>
          Sign out everywhere
        </Menu.Item>
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
      </Menu.Dropdown>
    </Menu>
  );
}

function ZoneChoice() {
  const zone = useStore(timeZone);
  const isListed = TIME_ZONES.some(({ value }) => value === zone);
  const zones = isListed ? TIME_ZONES : [...TIME_ZONES, { value: zone, label: zone.replaceAll('_', ' ') }];
  return (
    <>
      <Menu.Label>Times shown in</Menu.Label>
      <Menu.RadioGroup value={zone} onChange={(value) => timeZone.set(value)}>
        {zones.map(({ value, label }) => (
          <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

function SchemeChoice() {
  // Without it Mantine writes an inline style element, which the content security policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <>
      <Menu.Label>Colours</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
        {SCHEMES.map(({ value, label }) => (
          <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
