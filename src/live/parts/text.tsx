import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shortId, visibleLine, visibleText } from './texts.ts';

interface TextProps {
  readonly text: string;
}

/** How much of a text is shown at first. */
const MOST = 400;

/** A stranger's text in one line, which its place cuts. */
export function Line({ text }: TextProps) {
  const line = visibleLine(text, MOST);
  return <bdi>{line === '' && text !== '' ? visibleText(JSON.stringify(text)) : line}</bdi>;
}

/** A stranger's text as it is; a long one unfolds. */
export function LongText({ most = MOST, text }: TextProps & { readonly most?: number }) {
  const [isOpen, setOpen] = useState(false);
  if (text.length <= most) return <bdi>{visibleText(text)}</bdi>;
  const shown = isOpen ? text : text.slice(0, most);
  return (
    <>
      <bdi>{visibleText(shown)}</bdi>
      {isOpen ? ' ' : '… '}
      <button type="button" class="link" onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Show less' : `Show all ${text.length.toLocaleString('en')} letters`}
      </button>
    </>
  );
}

/** Enough of the id of a registration to tell it from another; the whole of it is in the details. */
export function RegistrationId({ id }: { readonly id: string }) {
  return (
    <span class="of-registration cut" title={id}>
      <span class="aside">registration </span>
      <Line text={shortId(id)} />
    </span>
  );
}

interface FactProps {
  readonly name: ComponentChildren;
  readonly children: ComponentChildren;
  readonly isMono?: boolean;
}

/** A pair of a list of facts. */
export function Fact({ children, isMono = false, name }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={isMono ? 'mono' : ''}>{children}</dd>
    </>
  );
}
