import { TextInput, type TextInputProps } from '@mantine/core';
import { formatTime, localTimeOf, momentOf } from '../format/time.ts';
import { useTimeZone } from '../preferences/time-zone.ts';
import styles from './actions.module.css';

/** A field for a time in the zone that the operator chose, like every time on the screens. The zone is next to it. */
export function TimeField({ value, ...props }: TextInputProps & { value: string }) {
  const zone = useTimeZone();
  const moment = momentOf(value, zone);
  const isSkipped = moment !== null && localTimeOf(moment, zone) !== value.slice(0, 16);
  return (
    <div>
      <TextInput
        {...props}
        type="datetime-local"
        value={value}
        inputContainer={(input) => (
          <div className={styles.zoned}>
            {input}
            <span className="soft">{zone.replaceAll('_', ' ')}</span>
          </div>
        )}
      />
      {isSkipped && (
        <p className={styles.hint} role="status">
          Clocks skip this time there. It is moved to {formatTime(moment, zone, 'minute')}.
        </p>
      )}
    </div>
  );
}
