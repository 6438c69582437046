import { useLayoutEffect, useRef } from 'preact/hooks';
import type { LiveExchange, LiveMessage } from '../../mock/live/model.ts';
import { isNarrow } from '../browser.ts';
import { StateBadge, StatusChip } from '../parts/badges.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Fact, Line, LongText } from '../parts/text.tsx';
import { timeOfDay } from '../parts/texts.ts';
import { useView } from '../state/use-live.ts';
import { type ExchangeRow, onlyOf } from '../state/view-state.ts';
import { contentType } from './body-lines.ts';
import { BodyView } from './body-view.tsx';

/** An exchange with all that is known of it. Esc closes it. */
export function Details({ row }: { readonly row: ExchangeRow }) {
  const { state, tell } = useView();
  const { mark, times } = row;
  // It may have gone on since its line was opened.
  const exchange = state.exchanges.get(row.exchange.seq) ?? row.exchange;
  const heading = useRef<HTMLHeadingElement>(null);
  // Once for each line that is opened
  useLayoutEffect(() => heading.current?.focus(), [row.key]);
  return (
    <section class="details" aria-labelledby="details-title">
      <header class="pane-head">
        <h2 id="details-title" ref={heading} tabIndex={-1}>
          <b>
            <LongText text={exchange.method} most={40} />
          </b>{' '}
          <LongText text={exchange.path} most={120} />
        </h2>
        <button
          type="button"
          class="quiet"
          aria-label="Close the details"
          onClick={() => tell({ opened: undefined })}
        >
          <Icon name="close" />
        </button>
      </header>
      <div class="pane-body">
        {times > 1 && <p class="fine">The last of {times} alike.</p>}
        <About exchange={exchange} mark={mark} />
        {exchange.findings.length > 0 && <Findings exchange={exchange} />}
        {exchange.notes.map((note) => (
          <Note key={note.event} note={note} />
        ))}
        <Message title="Request" message={exchange.request} />
        <Message title="Response" message={exchange.response} />
      </div>
    </section>
  );
}

function About({ exchange, mark }: Pick<ExchangeRow, 'exchange' | 'mark'>) {
  const { tell } = useView();
  const { at, duration_ms: duration, from, meaning, section, seq, to, url } = exchange;
  const { registration_id: id } = exchange;
  return (
    <>
      <p class="summary">
        <StatusChip exchange={exchange} />
        {mark !== undefined && <StateBadge state={mark} />}
        <span class="way">
          {from} → {to}
        </span>
        <CopyButton label="Copy the exchange as JSON" text={JSON.stringify(exchange, null, 2)} />
      </p>
      {meaning !== '' && (
        <p>
          <LongText text={meaning} />
        </p>
      )}
      <dl class="facts-list">
        <Fact name="URL" isMono={true}>
          <LongText text={url} most={300} />
        </Fact>
        {section !== '' && <Fact name="Follows">{section}</Fact>}
        <Fact name="Came">
          {timeOfDay(at)} UTC, answered in {duration.toLocaleString('en')} ms, number {seq}
        </Fact>
        {id !== null && (
          <Fact name="Registration">
            <button
              type="button"
              class="link mono"
              // Where there is room for one thing only, its exchanges take the place.
              onClick={() => tell({ ...onlyOf(id), ...(isNarrow() && { opened: undefined }) })}
            >
              <LongText text={id} most={80} />
            </button>
          </Fact>
        )}
      </dl>
    </>
  );
}

function Findings({ exchange }: { readonly exchange: LiveExchange }) {
  return (
    <section class="findings" aria-label="Findings">
      <h3>Findings</h3>
      <ul>
        {exchange.findings.map(({ also, by, level, message, requirement, times }) => (
          <li key={`${requirement} ${message}`}>
            <p>
              <LongText text={message} />
            </p>
            <p class="fine">
              {level.toUpperCase()} of the {by}, <code>{[requirement, ...also].join(', ')}</code>
              {times > 1 && <span title="So often until here"> ×{times}</span>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the mock itself has to say: nothing of it is in the answer. */
function Note({ note }: { readonly note: LiveExchange['notes'][number] }) {
  return (
    <section class="note" aria-label={note.event}>
      <h3>
        <code>{note.event}</code>{' '}
        <span class="fine">in the log of the mock, not in the answer</span>
      </h3>
      <dl class="facts-list">
        {Object.entries(note.fields).map(([name, value]) => (
          <Fact key={name} name={name} isMono={true}>
            <LongText text={String(value)} most={1_000} />
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function Message({ message, title }: { readonly message: LiveMessage; readonly title: string }) {
  const headers = Object.entries(message.headers);
  const type = message.bytes > 0 ? contentType(message.headers) : undefined;
  return (
    <section class="message" aria-label={title}>
      <h3>
        {title}{' '}
        <span class="fine">
          {message.bytes.toLocaleString('en')} bytes{type !== undefined && ' of '}
          <Line text={type ?? ''} />
        </span>
      </h3>
      <BodyView message={message} />
      {headers.length > 0 && (
        <details>
          <summary>
            {headers.length} {headers.length === 1 ? 'header' : 'headers'}
          </summary>
          <dl class="facts-list headers">
            {headers.map(([name, value]) => (
              <Fact key={name} name={<LongText text={name} most={80} />}>
                <span class={value.includes('secret~') ? 'secret' : ''}>
                  <LongText text={value} />
                </span>
              </Fact>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}
