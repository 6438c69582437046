import { Icon } from '../parts/icon.tsx';
import { Line } from '../parts/text.tsx';
import { useView } from '../state/use-live.ts';
import type { Actor, Filter } from '../state/view-state.ts';

interface ToolbarProps {
  readonly lanes: readonly Actor[];
  /** Whether a browser fetched something beside a page. */
  readonly hasPageFiles: boolean;
}

/** Which exchanges are wanted. */
export function Toolbar({ hasPageFiles, lanes }: ToolbarProps) {
  const { state, tell } = useView();
  const { filter } = state;
  const { pageFiles, party, registration, text, troubleOnly } = filter;
  const change = (more: Partial<Filter>) => tell({ filter: { ...filter, ...more } });
  return (
    <search class="toolbar">
      <input
        type="search"
        aria-label="Find in exchanges"
        placeholder="Find: path, meaning, status…"
        value={text}
        maxLength={200}
        onInput={(event) => change({ text: event.currentTarget.value })}
      />
      <select
        aria-label="Party"
        value={party ?? ''}
        onChange={(event) => {
          const chosen = lanes.find((lane) => lane === event.currentTarget.value);
          change({ party: chosen ?? null });
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
        aria-pressed={troubleOnly}
        onClick={() => change({ troubleOnly: !troubleOnly })}
      >
        Errors only
      </button>
      {hasPageFiles && (
        <button
          type="button"
          aria-pressed={pageFiles}
          title="Style sheets, pictures and the like that a browser fetches for a page"
          onClick={() => change({ pageFiles: !pageFiles })}
        >
          Page files
        </button>
      )}
      {registration !== null && (
        <button
          type="button"
          class="chip"
          aria-label={`No longer only ${registration}`}
          onClick={() => change({ registration: null })}
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
