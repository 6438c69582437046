import { html, type IconName, icon, type View } from './html.ts';

/** How something ended: told apart by colour, by picture and by its word. */
export type OutcomeKind = IconName;

const WORDS: Readonly<Record<OutcomeKind, string>> = {
  done: 'Done',
  refused: 'Refused',
  expired: 'Expired',
  failed: 'Failed',
};

export interface OutcomeView {
  readonly kind: OutcomeKind;
  /** Above the title, one or two words. Default: that of its kind. */
  readonly word?: string;
  readonly title: string;
  readonly text: string | View;
  /** What can be done next. */
  readonly next?: View;
}

/** The page on which something has ended, well or not. */
export function outcomeView({ kind, next, text, title, word = WORDS[kind] }: OutcomeView): View {
  return html`
    <div class="outcome ${kind}">
      <p class="word">${icon(kind)} ${word}</p>
      <h1>${title}</h1>
      <p>${text}</p>
      ${next ?? ''}
    </div>`;
}
