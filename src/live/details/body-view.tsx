import { useState } from 'preact/hooks';
import type { LiveMessage } from '../../mock/live/model.ts';
import { LongText } from '../parts/text.tsx';
import { visibleLine } from '../parts/texts.ts';
import { type FormLine, formLines, isFingerprint, jsonLines } from './body-lines.ts';

/** What is said of a body that is not shown whole. */
const STATES: Readonly<Record<LiveMessage['body_state'], string>> = {
  none: 'No body.',
  whole: '',
  cut: 'Its beginning: it is longer than what is kept.',
  incomplete: 'What came of it: it broke off, or is still coming.',
  page: 'A page, by its title.',
  binary: 'No text, so it is not shown.',
};

/** So many lines are shown at first. */
const MOST = 120;

/** The body of a message: JSON with its structure, a form by its pairs, other text as it is. */
export function BodyView({ message }: { readonly message: LiveMessage }) {
  const { body, body_state: state, headers } = message;
  const form = formLines(headers, body);
  return (
    <>
      {STATES[state] !== '' && <p class="fine">{STATES[state]}</p>}
      {state !== 'none' && state !== 'binary' && (
        <div class="code">
          {typeof body === 'string' ? (
            <LongText text={body} most={2_000} />
          ) : (
            (form?.map((line, index) => <Pair key={index} line={line} isFirst={index === 0} />) ?? (
              <Json value={body} />
            ))
          )}
        </div>
      )}
    </>
  );
}

/** As it goes over the wire, a pair a line and decoded. */
function Pair({ isFirst, line }: { readonly line: FormLine; readonly isFirst: boolean }) {
  const { name, value } = line;
  return (
    <div class="json">
      {!isFirst && <span class="value mark">&amp;</span>}
      <span class="name">
        <bdi>{visibleLine(name, 120)}</bdi>
      </span>
      <span class="value mark">=</span>
      {typeof value === 'object' ? (
        <Json value={value} />
      ) : (
        <span class={isFingerprint(String(value)) ? 'value secret' : 'value text'}>
          <LongText text={String(value)} />
        </span>
      )}
    </div>
  );
}

function Json({ value }: { readonly value: unknown }) {
  const [isOpen, setOpen] = useState(false);
  const lines = jsonLines(value);
  const shown = isOpen ? lines : lines.slice(0, MOST);
  return (
    <>
      {shown.map(({ comma, depth, kind, name, text }, index) => (
        <div
          key={index}
          class="json"
          style={{ paddingInlineStart: `${Math.min(depth, 12) * 0.875 + 1}rem` }}
        >
          {name !== undefined && (
            <span class="name">
              <bdi>{visibleLine(`"${name}"`, 120)}</bdi>
              {': '}
            </span>
          )}
          <span class={`value ${kind}`}>
            {kind === 'text' && '"'}
            <LongText text={text} />
            {kind === 'text' && '"'}
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
