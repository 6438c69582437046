import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { LiveActionName, LiveActions } from '../../mock/live/model.ts';
import { useView } from '../state/use-live.ts';

interface ActButtonProps<Name extends LiveActionName> {
  readonly name: Name;
  readonly given: LiveActions[Name];
  readonly children: ComponentChildren;
  readonly isDanger?: boolean;
  /** What is asked once before it does what cannot be taken back. */
  readonly question?: string;
}

/** A button that does what its action says. */
export function ActButton<Name extends LiveActionName>(props: ActButtonProps<Name>) {
  const { children, given, isDanger = false, name, question } = props;
  const { act, state } = useView();
  const dialog = useRef<HTMLDialogElement>(null);
  const button = (more: string, onClick: () => void, text: ComponentChildren) => (
    <button type="button" class={more} aria-disabled={state.isBusy} onClick={onClick}>
      {text}
    </button>
  );
  const press = () => {
    dialog.current?.close();
    void act(name, given);
  };
  if (question === undefined) return button(isDanger ? 'danger' : '', press, children);
  return (
    <>
      {button('danger', () => dialog.current?.showModal(), <>{children}…</>)}
      <dialog ref={dialog} aria-label={question}>
        <p>{question}</p>
        <p class="buttons">
          {button('danger sure', press, children)}
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </p>
      </dialog>
    </>
  );
}
