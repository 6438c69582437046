import type { LiveTourStep } from '../../mock/live/model.ts';
import type { Actions } from '../actions/use-actions.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { LongText } from '../parts/text.tsx';

const FLOWS: Readonly<Record<LiveTourStep['flow'], readonly [string, string]>> = {
  anonymous: ['Without a user', 'An agent registers for itself; somebody may claim it later.'],
  service_auth: ['For a user of the service', 'The user types a code on a page of the service.'],
  identity_assertion: ['With a provider', 'The user’s identity provider speaks for them.'],
};

interface TourProps {
  readonly steps: readonly LiveTourStep[];
  readonly actions: Actions;
}

/** The flows one after the other, a button a step. */
export function Tour({ actions, steps }: TourProps) {
  if (steps.length === 0) {
    return (
      <div class="nothing">
        <p>There is no tour of what is here.</p>
      </div>
    );
  }
  const flows = [...new Set(steps.map(({ flow }) => flow))];
  const next = steps.find(({ is_done, is_ready }) => is_ready && !is_done);
  return (
    <>
      <p class="fine">
        Each step is sent for real, and shows up among the exchanges. The lines do the same from a
        shell; what a user does is done in a browser.
      </p>
      {flows.map((flow) => (
        <section key={flow} class="flow" aria-label={FLOWS[flow][0]}>
          <h3>{FLOWS[flow][0]}</h3>
          <p class="fine">{FLOWS[flow][1]}</p>
          <ol>
            {steps
              .filter((step) => step.flow === flow)
              .map((step, index) => (
                <Step
                  key={step.id}
                  step={step}
                  number={index + 1}
                  isNext={step.id === next?.id}
                  actions={actions}
                />
              ))}
          </ol>
        </section>
      ))}
    </>
  );
}

interface StepProps {
  readonly step: LiveTourStep;
  readonly number: number;
  readonly isNext: boolean;
  readonly actions: Actions;
}

function Step({ actions, isNext, number, step }: StepProps) {
  const { curl, id, is_done: isDone, is_ready: isReady, line, text, title } = step;
  return (
    <li class={`step${isDone ? ' is-done' : ''}${isNext ? ' is-next' : ''}`}>
      <span class="number">
        {isDone ? <Icon name="done" /> : number}
        {isDone && <span class="aside">Done: </span>}
      </span>
      <details open={isNext}>
        <summary>{title}</summary>
        <p>
          <LongText text={text} />
        </p>
        <Shell name="curl" text={curl} />
        <Shell name="agent-auth" text={line} />
        <p class="buttons">
          <button
            type="button"
            class={isNext ? '' : 'secondary'}
            disabled={!isReady}
            onClick={() => void actions.act('tour', { id })}
          >
            {isDone ? 'Do it again' : 'Do it'}
          </button>
          {!isReady && !isDone && <span class="fine">After the steps before it.</span>}
        </p>
      </details>
    </li>
  );
}

function Shell({ name, text }: { readonly name: string; readonly text: string }) {
  if (text === '') return null;
  return (
    <div class="line">
      <code>
        <LongText text={text} most={600} />
      </code>
      <CopyButton label={`Copy the line with ${name}`} text={text} />
    </div>
  );
}
