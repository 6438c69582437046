import { useState } from 'preact/hooks';

interface SureButtonProps {
  readonly text: string;
  readonly question: string;
  readonly act: () => void;
}

/** Once it is there: the button that had the focus is gone. */
const focus = (element: HTMLElement | null) => element?.focus();

/** What cannot be taken back: it asks once. */
export function SureButton({ act, question, text }: SureButtonProps) {
  const [isAsking, setAsking] = useState<boolean>();
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    setAsking(false);
  };
  if (!isAsking) {
    return (
      <button
        type="button"
        class="danger"
        key="first"
        ref={isAsking === false ? focus : null}
        onClick={() => setAsking(true)}
      >
        {text}…
      </button>
    );
  }
  const sure = () => {
    setAsking(false);
    act();
  };
  return (
    <span class="asked">
      <span>{question}</span>
      <button type="button" class="danger sure" ref={focus} onKeyDown={press} onClick={sure}>
        {text}
      </button>
      <button type="button" class="secondary" onKeyDown={press} onClick={() => setAsking(false)}>
        Cancel
      </button>
    </span>
  );
}
