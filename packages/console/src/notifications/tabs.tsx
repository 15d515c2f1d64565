import { Link } from '@tanstack/react-router';
import styles from './notifications.module.css';

/** Switches between the notifications and the hosts that get them. */
export function NotificationTabs() {
  return (
    <nav className={styles.tabs} aria-label="Views">
      <Link to={'/notifications' as '/'} activeOptions={{ exact: true, includeSearch: false }}>
        Notifications
      </Link>
      <Link to={'/notifications/hosts' as '/'}>Hosts</Link>
    </nav>
  );
}
