import { useNow } from '../state/use-live.ts';
import { Icon } from './icon.tsx';
import { countdown } from './texts.ts';

interface TimerProps {
  /** RFC 3339, on the mock's clock. */
  readonly until: string;
  readonly label: string;
}

/** What is left, by the mock's clock; it goes on by itself. */
export function Timer({ label, until }: TimerProps) {
  const now = useNow();
  if (now === undefined) return null;
  const left = countdown(Date.parse(until), now);
  return (
    <span class={left === undefined ? 'timer over-now' : 'timer'}>
      <Icon name="pending" />
      {left === undefined ? `${label}: the time is up` : `${label} ${left}`}
    </span>
  );
}
