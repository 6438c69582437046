import { CopyButton } from './parts/copy-button.tsx';
import { Line } from './parts/text.tsx';
import { describeOffset } from './parts/texts.ts';
import { useNow } from './state/use-live.ts';
import { type Connection, isPassive, type ViewState } from './state/view-state.ts';

const SAID: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting…',
  open: 'Live',
  reconnecting: 'Reconnecting…',
  over: 'Not connected',
};

/** Whose view it is, whether it is live, and what time it is there. */
export function Header({ state }: { readonly state: ViewState }) {
  const { connection, snapshot } = state;
  const program = isPassive(state) ? 'proxy' : 'mock';
  const again = `agent-auth ${program} open`;
  return (
    <div class="top">
      <div class="title">
        <img
          class="mark"
          alt=""
          src={document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href}
        />
        <h1 class="cut">
          <Line text={snapshot?.title ?? 'Live view'} />
        </h1>
        <p class={`connection ${connection}`} role="status">
          <span class="dot" aria-hidden="true" />
          {SAID[connection]}
        </p>
        <ClockView state={state} />
      </div>
      {connection === 'over' && (
        <div class="ended" role="alert">
          <p>
            This view has ended: the {program} was started anew, or its session is over. What was
            seen stays here. To open it again:
          </p>
          <p class="buttons">
            <code>{again}</code>
            <CopyButton label="Copy the line" text={again} />
          </p>
        </div>
      )}
    </div>
  );
}

function ClockView({ state }: { readonly state: ViewState }) {
  const now = useNow(state);
  const [party] = state.snapshot?.parties ?? [];
  if (party === undefined || now === undefined) return null;
  const offset = describeOffset(party.clock_offset_ms);
  return (
    <p class="clock">
      <span class="aside">{isPassive(state) ? 'The time: ' : "The mock's clock: "}</span>
      <time>{new Date(now).toISOString().slice(11, 19)}</time> UTC
      {offset !== undefined && <span class="offset">{offset}</span>}
    </p>
  );
}
