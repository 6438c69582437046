import { StateBadge, StatusChip } from '../parts/badges.tsx';
import { Icon } from '../parts/icon.tsx';
import { Line, RegistrationId } from '../parts/text.tsx';
import { timeOfDay } from '../parts/texts.ts';
import { toneOf } from '../parts/tone.ts';
import type { Actor, ExchangeRow } from '../state/view-state.ts';
import type { Row } from './rows.ts';

interface RowProps {
  readonly row: Row;
  readonly lanes: readonly Actor[];
  readonly isChosen: boolean;
  readonly choose: () => void;
}

export function rowId({ key }: Row): string {
  return `row-${key.replace(' ', '-')}`;
}

/** A line of the diagram: an arrow from lane to lane, or a mark in the lane of what was done with no message. */
export function RowView({ choose, isChosen, lanes, row }: RowProps) {
  const isChange = row.kind === 'change';
  const { at, id, meaning } = isChange
    ? row
    : { ...row.exchange, id: row.exchange.registration_id };
  const { from, to } = isChange ? { from: row.lane, to: row.lane } : row.exchange;
  const [begin, end] = [lanes.indexOf(from), lanes.indexOf(to)];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    <div
      id={rowId(row)}
      role="option"
      tabIndex={-1}
      class={`row tone-${isChange ? 'change' : toneOf(row.exchange)}`}
      style={{ '--from': Math.min(begin, end) + 0.5, '--span': Math.abs(end - begin) }}
      aria-selected={isChosen}
      onClick={choose}
    >
      <span class="time">{timeOfDay(at)}</span>
      <span class="call cut">
        <b>{isChange ? row.done : <Line text={row.exchange.method} />}</b>{' '}
        {!isChange && <Line text={row.exchange.path} />}
      </span>
      <span class={isChange ? 'change-mark' : `arrow${end < begin ? ' to-left' : ''}`} />
      <span class="words">
        <span class="facts">
          {isChange ? <span class="badge control">control</span> : <Answer row={row} />}
          {row.mark !== undefined && <StateBadge state={row.mark} />}
          {id !== null && <RegistrationId id={id} />}
        </span>
        <span class="meaning" title={meaning}>
          <Line text={meaning} />
        </span>
      </span>
    </div>
  );
}

function Answer({ row: { exchange, times } }: { readonly row: ExchangeRow }) {
  const { findings, from, to } = exchange;
  return (
    <>
      <span class="aside route fine">
        {from} to {to}
      </span>
      <StatusChip exchange={exchange} />
      {times > 1 && (
        <span class="status">
          × {times}
          <span class="aside"> times</span>
        </span>
      )}
      {findings.length > 0 && (
        <span class="badge finding">
          <Icon name="refused" />
          {findings.length} {findings.length === 1 ? 'finding' : 'findings'}
        </span>
      )}
    </>
  );
}
