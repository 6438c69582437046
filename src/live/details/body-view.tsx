import { useState } from 'preact/hooks';
import type { LiveMessage } from '../../mock/live/model.ts';
import { LongText } from '../parts/text.tsx';
import { visibleLine } from '../parts/visible-text.ts';
import { type FormLine, formLines, isForm } from './form-lines.ts';
import { isFingerprint, type JsonLine, jsonLines } from './json-lines.ts';

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
  const isShown = state !== 'none' && state !== 'binary';
  const form = isForm(headers) ? formLines(body) : undefined;
  return (
    <>
      {STATES[state] !== '' && <p class="fine">{STATES[state]}</p>}
      {isShown &&
        (typeof body === 'string' ? (
          <PlainText text={body} />
        ) : form !== undefined ? (
          <Form lines={form} />
        ) : (
          <Json value={body} />
        ))}
    </>
  );
}

function PlainText({ text }: { readonly text: string }) {
  return (
    <div class="code">
      <LongText text={text} most={2_000} />
    </div>
  );
}

/** As it goes over the wire, a pair a line and decoded. */
function Form({ lines }: { readonly lines: readonly FormLine[] }) {
  return (
    <div class="code">
      {lines.map(({ name, value }, index) => (
        <div key={index} class="json">
          {index > 0 && <span class="value mark">&amp;</span>}
          <span class="name">
            <bdi>{visibleLine(name, 120)}</bdi>
          </span>
          <span class="value mark">=</span>
          {typeof value === 'object' ? (
            <JsonLines value={value} />
          ) : (
            <span class={isFingerprint(String(value)) ? 'value secret' : 'value text'}>
              <LongText text={String(value)} />
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

export function Json({ value }: { readonly value: unknown }) {
  return (
    <div class="code">
      <JsonLines value={value} />
    </div>
  );
}

function JsonLines({ value }: { readonly value: unknown }) {
  const [isOpen, setOpen] = useState(false);
  const lines = jsonLines(value);
  const shown = isOpen ? lines : lines.slice(0, MOST);
  return (
    <>
      {shown.map((line, index) => (
        <JsonLineView key={index} line={line} />
      ))}
      {shown.length < lines.length && (
        <button type="button" class="link" onClick={() => setOpen(true)}>
          Show all {lines.length.toLocaleString('en')} lines
        </button>
      )}
    </>
  );
}

function JsonLineView({ line: { depth, name, value } }: { readonly line: JsonLine }) {
  const comma = value.kind === 'mark' || value.isLast ? '' : ',';
  return (
    <div class="json" style={{ paddingInlineStart: `${Math.min(depth, 12) * 0.875 + 1}rem` }}>
      {name !== undefined && (
        <span class={name === 'jwt' ? 'name jwt' : 'name'}>
          <bdi>{visibleLine(JSON.stringify(name), 120)}</bdi>
          {': '}
        </span>
      )}
      {value.kind === 'text' || value.kind === 'secret' ? (
        <span class={`value ${value.kind}`}>
          {value.kind === 'text' && '"'}
          <LongText text={escaped(value.text)} />
          {value.kind === 'text' && '"'}
        </span>
      ) : (
        <span class={`value ${value.kind}`}>{value.text}</span>
      )}
      {comma}
    </div>
  );
}

/** As within the quotes of JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
