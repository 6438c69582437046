import type { ComponentChildren } from 'preact';
import type { LiveActionName, LiveActions } from '../../mock/live/model.ts';
import type { Actions } from './use-actions.ts';

interface ActButtonProps<Name extends LiveActionName> {
  readonly actions: Actions;
  readonly name: Name;
  readonly given: LiveActions[Name];
  readonly children: ComponentChildren;
  readonly isDanger?: boolean;
}

/** A button that does what its action says at once. */
export function ActButton<Name extends LiveActionName>(props: ActButtonProps<Name>) {
  const { actions, children, given, isDanger = false, name } = props;
  return (
    <button
      type="button"
      class={isDanger ? 'danger' : 'secondary'}
      aria-disabled={actions.isBusy}
      onClick={() => void actions.act(name, given)}
    >
      {children}
    </button>
  );
}
