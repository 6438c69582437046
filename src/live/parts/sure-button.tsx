import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface SureButtonProps {
  readonly text: string;
  readonly question: string;
  readonly act: () => void;
}

/** What cannot be taken back: it asks once. */
export function SureButton({ act, question, text }: SureButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const [wasAsked, setAsked] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const sure = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // The button that had the focus is gone.
    if (isAsking) sure.current?.focus();
    else if (wasAsked) first.current?.focus();
  }, [isAsking, wasAsked]);
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    setAsking(false);
  };
  if (!isAsking) {
    const ask = () => {
      setAsked(true);
      setAsking(true);
    };
    return (
      <button type="button" class="danger" ref={first} onClick={ask}>
        {text}…
      </button>
    );
  }
  return (
    <span class="asked">
      <span>{question}</span>
      <button
        type="button"
        class="danger sure"
        ref={sure}
        onKeyDown={press}
        onClick={() => {
          setAsking(false);
          act();
        }}
      >
        {text}
      </button>
      <button type="button" class="secondary" onKeyDown={press} onClick={() => setAsking(false)}>
        Cancel
      </button>
    </span>
  );
}
