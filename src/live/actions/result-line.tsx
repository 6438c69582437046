import { Icon } from '../parts/icon.tsx';
import { LongText } from '../parts/text.tsx';
import type { Actions } from './use-actions.ts';

/** Says what the last button led to. It is always there, so that a screen reader hears what comes into it. */
export function ResultLine({ actions: { forget, result } }: { readonly actions: Actions }) {
  return (
    <div class="result-place" role="status">
      {result !== undefined && (
        <p class={`result ${result.ok ? 'tone-done' : 'tone-failed'}`}>
          <Icon name={result.ok ? 'done' : 'failed'} />
          <span>
            <LongText text={result.message} />
          </span>
          <button type="button" class="quiet icon-only" aria-label="Put it away" onClick={forget}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
