import { timeOfDay } from '../parts/countdown.ts';
import { Icon } from '../parts/icon.tsx';
import { shortId } from '../parts/short-id.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { Line } from '../parts/text.tsx';
import type { Actor } from '../state/view-state.ts';
import { arrowOf, middleOf } from './lanes.ts';
import { countFindings, gapText } from './row-words.ts';
import type { ChangeRow, ExchangeRow, Row } from './rows.ts';
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
  const tone = row.kind === 'exchange' ? toneOf(row.exchange) : row.kind;
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
      ) : row.kind === 'change' ? (
        <ChangeLine row={row} lanes={lanes} />
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
          <RegistrationId id={exchange.registration_id} />
          <span class="call beside">{call}</span>
        </span>
        <span class="meaning" title={meaning}>
          <Line text={meaning} />
        </span>
      </span>
    </>
  );
}

/** What was done with no message: a mark in the lane of whoever would do it, and words. */
function ChangeLine({ lanes, row }: { readonly row: ChangeRow; readonly lanes: readonly Actor[] }) {
  const { change, words } = row;
  const middle = middleOf(lanes.indexOf(words.lane), lanes.length);
  const call = (
    <b>
      <Line text={words.done} />
    </b>
  );
  return (
    <>
      <span class="time">{timeOfDay(change.at)}</span>
      <span class="track">
        {middle > 0 && (
          <>
            <span class="call" style={{ right: percent(1 - middle), maxWidth: percent(middle) }}>
              {call}
            </span>
            <span class="change-mark" style={{ left: percent(middle) }} />
          </>
        )}
      </span>
      <span class="words">
        <span class="facts">
          <span class="badge control">control</span>
          {words.state !== undefined && <StateBadge state={words.state} />}
          <RegistrationId id={change.registration_id} />
          <span class="call beside">{call}</span>
        </span>
        <span class="meaning" title={words.meaning}>
          <Line text={words.meaning} />
        </span>
      </span>
    </>
  );
}

/** Enough of an id to tell one registration from another; the whole of it is in the details. */
function RegistrationId({ id }: { readonly id: string | null }) {
  if (id === null) return null;
  return (
    <span class="of-registration" title={id}>
      <span class="aside">registration </span>
      <Line text={shortId(id)} />
    </span>
  );
}

function percent(part: number): string {
  return `${part * 100}%`;
}
