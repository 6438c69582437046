import type { ComponentChildren } from 'preact';

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly name: string;
  /** A number beside the name; none for 0. */
  readonly count?: number | undefined;
}

interface TabsProps<Id extends string> {
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly label: string;
  readonly choose: (id: Id) => void;
}

/** One of several panes: the arrows go from name to name. */
export function Tabs<Id extends string>({ choose, chosen, label, tabs }: TabsProps<Id>) {
  const press = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const last = tabs.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: at === 0 ? last : at - 1,
      ArrowRight: at === last ? 0 : at + 1,
      Home: 0,
      End: last,
    };
    const to = tabs[moves[event.key] ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    choose(to.id);
    document.getElementById(`tab-${to.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={press}>
      {tabs.map(({ count = 0, id, name }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          class="quiet tab"
          aria-selected={id === chosen}
          aria-controls={`pane-${id}`}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => choose(id)}
        >
          {name}
          {count > 0 && <span class="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}

interface PaneProps {
  readonly id: string;
  readonly children: ComponentChildren;
}

export function Pane({ children, id }: PaneProps) {
  return (
    <div
      class="pane-body"
      id={`pane-${id}`}
      role="tabpanel"
      aria-labelledby={`tab-${id}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and may hold nothing to go to
      tabIndex={0}
    >
      {children}
    </div>
  );
}
