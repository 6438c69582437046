import { useState } from 'preact/hooks';
import type { Actions } from '../actions/use-actions.ts';

const STEPS = ['1m', '11m', '1h', '25h'] as const;

/** Moves the mocks' clock, which only goes forward. */
export function ClockControls({ actions }: { readonly actions: Actions }) {
  const [own, setOwn] = useState('');
  const advance = (by: string) => actions.act('clock', { advance: by });
  return (
    <section class="controls" aria-labelledby="clock-title">
      <h3 id="clock-title">Clock</h3>
      <p class="fine">
        Time goes on at once for the mocks: codes, tokens and registrations run out.
      </p>
      <p class="buttons">
        {STEPS.map((step) => (
          <button
            key={step}
            type="button"
            class="secondary"
            aria-disabled={actions.isBusy}
            onClick={() => void advance(step)}
          >
            +{step}
          </button>
        ))}
      </p>
      <form
        class="find"
        onSubmit={(event) => {
          event.preventDefault();
          void advance(own.trim()).then(({ ok }) => ok && setOwn(''));
        }}
      >
        <input
          aria-label="How far, such as 90s or 2h"
          placeholder="90s, 2h, 3d…"
          value={own}
          maxLength={20}
          onInput={(event) => setOwn(event.currentTarget.value)}
        />
        <button type="submit" class="secondary" disabled={own.trim() === ''}>
          Advance
        </button>
      </form>
    </section>
  );
}
