import { useState } from 'preact/hooks';
import type { LiveMessage } from '../../mock/live/model.ts';
import { LongText } from '../parts/text.tsx';
import { visibleLine } from '../parts/texts.ts';
import { type BodyLine, formLines, jsonLines } from './body-lines.ts';

/** What is said of a body that is not shown whole. */
const STATES: Readonly<Record<LiveMessage['body_state'], string>> = {
  none: 'No body.',
  whole: '',
  cut: 'Its beginning: it is longer than what is kept.',
  incomplete: 'What came of it: it broke off, or is still coming.',
  page: 'A page, by its title.',
  binary: 'No text, so it is not shown.',
};

/** How many lines are shown at first. */
const MOST = 120;

/** The body of a message: JSON with its structure, a form by its pairs, other text as it is. */
export function BodyView({ message }: { readonly message: LiveMessage }) {
  const { body, body_state: state, headers } = message;
  return (
    <>
      {STATES[state] !== '' && <p class="fine">{STATES[state]}</p>}
      {state !== 'none' && state !== 'binary' && (
        <div class="code">
          {typeof body === 'string' ? (
            <LongText text={body} most={2_000} />
          ) : (
            <Lines lines={formLines(headers, body) ?? jsonLines(body)} />
          )}
        </div>
      )}
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly BodyLine[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? lines : lines.slice(0, MOST);
  return (
    <>
      {shown.map(({ comma, depth, joint, kind, name, quote, sign, text }, index) => (
        <div
          key={index}
          class="json"
          style={{ paddingInlineStart: `${Math.min(depth, 12) * 0.875 + 1}rem` }}
        >
          {sign}
          {name !== undefined && (
            <span class="name">
              <bdi>{visibleLine(name, 120)}</bdi>
              {joint}
            </span>
          )}
          <span class={`value ${kind}`}>
            {quote}
            <LongText text={text} />
            {quote}
          </span>
          {comma}
        </div>
      ))}
      {shown.length < lines.length && (
        <button type="button" class="link" onClick={() => setOpen(true)}>
          Show all {lines.length.toLocaleString('en')} lines
        </button>
      )}
    </>
  );
}
