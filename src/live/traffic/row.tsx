import type { ComponentChildren } from 'preact';
import { StateBadge, StatusChip } from '../parts/badges.tsx';
import { Icon } from '../parts/icon.tsx';
import { Line, RegistrationId } from '../parts/text.tsx';
import { timeOfDay } from '../parts/texts.ts';
import { toneOf } from '../parts/tone.ts';
import type { Actor, ExchangeRow } from '../state/view-state.ts';
import type { ChangeRow, Row } from './rows.ts';

interface RowProps {
  readonly row: Row;
  readonly lanes: readonly Actor[];
  readonly isChosen: boolean;
  readonly choose: (row: Row) => void;
}

export function rowId({ key }: Row): string {
  return `row-${key.replace(' ', '-')}`;
}

/** A line of the diagram. */
export function RowView({ choose, isChosen, lanes, row }: RowProps) {
  const tone = row.kind === 'exchange' ? toneOf(row.exchange) : row.kind;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    <div
      id={rowId(row)}
      role="option"
      tabIndex={-1}
      class={`row tone-${tone}`}
      aria-selected={isChosen}
      onClick={() => choose(row)}
    >
      {row.kind === 'gap' ? (
        <span class="gap">
          <Icon name="gap" />
          {row.count.toLocaleString('en')} {row.count === 1 ? 'exchange is' : 'exchanges are'} no
          longer kept
        </span>
      ) : row.kind === 'change' ? (
        <ChangeLine row={row} lanes={lanes} />
      ) : (
        <ExchangeLine row={row} lanes={lanes} />
      )}
    </div>
  );
}

interface LineProps<Of extends Row> {
  readonly row: Of;
  readonly lanes: readonly Actor[];
}

function ExchangeLine({ lanes, row: { all, exchange, mark } }: LineProps<ExchangeRow>) {
  const { at, findings, from, meaning, method, path, registration_id: id, to } = exchange;
  const [begin, end] = [lanes.indexOf(from), lanes.indexOf(to)];
  const left = middleOf(Math.min(begin, end), lanes);
  const width = Math.abs(end - begin) / lanes.length;
  const call = (
    <>
      <b>
        <Line text={method} />
      </b>{' '}
      <Line text={path} />
    </>
  );
  const track = (
    <>
      <span class="call cut" style={{ left: percent(left), maxWidth: percent(1 - left) }}>
        {call}
      </span>
      <span
        class={`arrow${end < begin ? ' to-left' : ''}`}
        style={{ left: percent(left), width: percent(width) }}
      />
    </>
  );
  return (
    <Parts at={at} track={track} call={call} meaning={meaning} id={id}>
      <span class="aside">
        {from} to {to}
      </span>
      <StatusChip exchange={exchange} />
      {all.length > 1 && (
        <span class="status">
          × {all.length}
          <span class="aside"> times</span>
        </span>
      )}
      {mark !== undefined && <StateBadge state={mark} />}
      {findings.length > 0 && (
        <span class="badge finding">
          <Icon name="refused" />
          {findings.length} {findings.length === 1 ? 'finding' : 'findings'}
        </span>
      )}
    </Parts>
  );
}

/** What was done with no message: a mark in the lane of whoever would do it, and words. */
function ChangeLine({ lanes, row: { change, words } }: LineProps<ChangeRow>) {
  const { at, registration_id: id } = change;
  const { done, lane, meaning, state } = words;
  const middle = middleOf(lanes.indexOf(lane), lanes);
  const call = <b>{done}</b>;
  const track = (
    <>
      <span class="call cut" style={{ right: percent(1 - middle), maxWidth: percent(middle) }}>
        {call}
      </span>
      <span class="change-mark" style={{ left: percent(middle) }} />
    </>
  );
  return (
    <Parts at={at} track={track} call={call} meaning={meaning} id={id}>
      <span class="badge control">control</span>
      {state !== undefined && <StateBadge state={state} />}
    </Parts>
  );
}

interface PartsProps {
  readonly at: string;
  /** What is drawn in the lanes. */
  readonly track: ComponentChildren;
  /** What was done; beside the facts where the lanes are too narrow for it. */
  readonly call: ComponentChildren;
  /** The facts. */
  readonly children: ComponentChildren;
  readonly id: string | null;
  readonly meaning: string;
}

function Parts({ at, call, children, id, meaning, track }: PartsProps) {
  return (
    <>
      <span class="time">{timeOfDay(at)}</span>
      <span class="track">{track}</span>
      <span class="words">
        <span class="facts">
          {children}
          {id !== null && <RegistrationId id={id} />}
          <span class="call beside cut">{call}</span>
        </span>
        <span class="meaning" title={meaning}>
          <Line text={meaning} />
        </span>
      </span>
    </>
  );
}

/** The middle of a lane, of the width of all. */
function middleOf(lane: number, lanes: readonly Actor[]): number {
  return (lane + 0.5) / lanes.length;
}

function percent(part: number): string {
  return `${part * 100}%`;
}
