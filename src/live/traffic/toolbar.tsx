import { Icon } from '../parts/icon.tsx';
import { Line } from '../parts/text.tsx';
import type { Actor } from '../state/view-state.ts';
import type { Filter } from './filter.ts';

interface ToolbarProps {
  readonly filter: Filter;
  readonly lanes: readonly Actor[];
  readonly change: (filter: Filter) => void;
  readonly clear: () => void;
  readonly restore: () => void;
  /** So many were put away. */
  readonly cleared: number;
  /** Whether a browser fetched something beside a page. */
  readonly hasPageFiles: boolean;
}

/** Which exchanges are wanted. */
export function Toolbar(props: ToolbarProps) {
  const { change, clear, cleared, filter, hasPageFiles, lanes, restore } = props;
  const { pageFiles, party, registration, text, troubleOnly } = filter;
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
      {hasPageFiles && (
        <button
          type="button"
          class="quiet toggle"
          aria-pressed={pageFiles}
          title="Style sheets, pictures and the like that a browser fetches for a page"
          onClick={() => change({ ...filter, pageFiles: !pageFiles })}
        >
          Page files
        </button>
      )}
      <button type="button" class="quiet" onClick={clear}>
        Clear
      </button>
      {cleared > 0 && (
        <button type="button" class="quiet" onClick={restore}>
          Show {cleared.toLocaleString('en')} cleared
        </button>
      )}
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
