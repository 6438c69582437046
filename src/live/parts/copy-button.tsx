import { useEffect, useState } from 'preact/hooks';
import { after } from '../browser.ts';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What a screen reader calls it: `Copy the code`. */
  readonly label: string;
}

/** How long it says that it was done, in milliseconds. */
const SAID = 2_000;

export function CopyButton({ label, text }: CopyButtonProps) {
  const [said, setSaid] = useState<'Copied' | 'Not copied'>();
  useEffect(() => {
    if (said === undefined) return undefined;
    return after(SAID, () => setSaid(undefined));
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Not copied');
    }
  };
  return (
    <button type="button" class="quiet copy" aria-label={said ?? label} onClick={() => void copy()}>
      <Icon name={said === 'Copied' ? 'done' : 'copy'} />
      {said ?? 'Copy'}
    </button>
  );
}
