import { useView } from './state/use-live.ts';
import type { PaneId, ViewState } from './state/view-state.ts';

export const PANE_NAMES: Readonly<Record<PaneId, string>> = {
  exchanges: 'Exchanges',
  registrations: 'Registrations',
  mails: 'Mails',
  controls: 'Controls',
};

/** A number beside the name; none for 0. */
function countOf(id: PaneId, { snapshot }: ViewState): number {
  const waiting = snapshot?.registrations.filter(({ attempt }) => attempt !== null) ?? [];
  if (id === 'registrations') return waiting.length;
  return id === 'mails' ? (snapshot?.mails.length ?? 0) : 0;
}

interface TabsProps {
  readonly ids: readonly PaneId[];
  readonly chosen: PaneId;
  readonly label: string;
}

/** One of several panes: the arrows go from name to name. */
export function Tabs({ chosen, ids, label }: TabsProps) {
  const { state, tell } = useView();
  const press = (event: KeyboardEvent) => {
    const at = ids.indexOf(chosen);
    const last = ids.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: at === 0 ? last : at - 1,
      ArrowRight: at === last ? 0 : at + 1,
      Home: 0,
      End: last,
    };
    const to = ids[moves[event.key] ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    tell({ kind: 'pane', pane: to });
    document.getElementById(`tab-${to}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={press}>
      {ids.map((id) => {
        const count = countOf(id, state);
        return (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            class="quiet tab"
            aria-selected={id === chosen}
            aria-controls={`pane-${id}`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => tell({ kind: 'pane', pane: id })}
          >
            {PANE_NAMES[id]}
            {count > 0 && <span class="badge count">{count}</span>}
          </button>
        );
      })}
    </div>
  );
}
