import { Icon } from '../parts/icon.tsx';
import { Line } from '../parts/text.tsx';
import type { Actor } from '../state/view-state.ts';
import type { Filter } from './filter.ts';

interface ToolbarProps {
  readonly filter: Filter;
  readonly lanes: readonly Actor[];
  readonly change: (filter: Filter) => void;
  readonly clear: () => void;
}

/** Which exchanges are wanted. */
export function Toolbar({ change, clear, filter, lanes }: ToolbarProps) {
  const { party, registration, text, troubleOnly } = filter;
  return (
    <search class="toolbar">
      <input
        type="search"
        aria-label="Find in exchanges"
        placeholder="Find: path, meaning, status…"
        value={text}
        maxLength={200}
        onInput={(event) => change({ ...filter, text: event.currentTarget.value })}
      />
      <select
        aria-label="Party"
        value={party ?? ''}
        onChange={(event) => {
          const chosen = lanes.find((lane) => lane === event.currentTarget.value);
          change({ ...filter, party: chosen ?? null });
        }}
      >
        <option value="">All parties</option>
        {lanes.map((lane) => (
          <option key={lane} value={lane}>
            {lane}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="quiet toggle"
        aria-pressed={troubleOnly}
        onClick={() => change({ ...filter, troubleOnly: !troubleOnly })}
      >
        Errors only
      </button>
      <button type="button" class="quiet" onClick={clear}>
        Clear
      </button>
      {registration !== null && (
        <button
          type="button"
          class="chip"
          aria-label={`No longer only ${registration}`}
          onClick={() => change({ ...filter, registration: null })}
        >
          <span class="cut">
            <Line text={registration} />
          </span>
          <Icon name="close" />
        </button>
      )}
    </search>
  );
}
