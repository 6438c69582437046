import { timeOfDay } from '../parts/countdown.ts';
import { Icon } from '../parts/icon.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Line } from '../parts/text.tsx';
import type { Actor } from '../state/view-state.ts';
import { arrowOf } from './lanes.ts';
import { countFindings, gapText } from './row-words.ts';
import type { ExchangeRow, Row } from './rows.ts';
import { StatusChip } from './status-chip.tsx';
import { toneOf } from './tone.ts';

interface RowProps {
  readonly row: Row;
  readonly index: number;
  readonly count: number;
  readonly lanes: readonly Actor[];
  /** Of a line, in pixels. */
  readonly line: number;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly choose: (row: Row) => void;
}

export function rowId(key: number): string {
  return `row-${key}`;
}

/** A line of the diagram. */
export function RowView({ choose, count, index, isActive, isChosen, lanes, line, row }: RowProps) {
  const tone = row.kind === 'gap' ? 'gap' : toneOf(row.exchange);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and the keys
    <div
      id={rowId(row.key)}
      role="option"
      tabIndex={-1}
      class={`row tone-${tone}${isActive ? ' active' : ''}`}
      aria-selected={isChosen}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ transform: `translateY(${index * line}px)` }}
      onClick={() => choose(row)}
    >
      {row.kind === 'gap' ? (
        <span class="gap">
          <Icon name="gap" />
          {gapText(row.count)}
        </span>
      ) : (
        <ExchangeLine row={row} lanes={lanes} />
      )}
    </div>
  );
}

function ExchangeLine({
  lanes,
  row,
}: {
  readonly row: ExchangeRow;
  readonly lanes: readonly Actor[];
}) {
  const { all, exchange, mark } = row;
  const { at, findings, from, meaning, method, path, to } = exchange;
  const arrow = arrowOf(lanes, from, to);
  const call = (
    <>
      <b>
        <Line text={method} />
      </b>{' '}
      <Line text={path} />
    </>
  );
  return (
    <>
      <span class="time">{timeOfDay(at)}</span>
      <span class="track">
        {arrow !== undefined && (
          <>
            <span
              class="call"
              style={{ left: percent(arrow.left), maxWidth: percent(1 - arrow.left) }}
            >
              {call}
            </span>
            <span
              class={`arrow${arrow.isToLeft ? ' to-left' : ''}`}
              style={{ left: percent(arrow.left), width: percent(arrow.width) }}
            />
          </>
        )}
      </span>
      <span class="words">
        <span class="facts">
          <span class="aside">
            {from} to {to}
          </span>
          <StatusChip exchange={exchange} />
          {all.length > 1 && (
            <span class="times">
              × {all.length}
              <span class="aside"> times</span>
            </span>
          )}
          {mark !== undefined && <StateBadge state={mark} />}
          {findings.length > 0 && (
            <span class="badge finding">
              <Icon name="refused" />
              {countFindings(findings.length)}
            </span>
          )}
          <span class="call beside">{call}</span>
        </span>
        <span class="meaning">
          <Line text={meaning} />
        </span>
      </span>
    </>
  );
}

function percent(part: number): string {
  return `${part * 100}%`;
}
