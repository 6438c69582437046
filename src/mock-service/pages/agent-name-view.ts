import { html, type View } from '../../mock/pages/html.ts';
import { displayText } from '../../protocol/text.ts';

/** In characters. */
const SHOWN = 60;

/** A sentence with what an agent calls itself; nothing for one that does not. */
export function ownWords(name: string | undefined): View | '' {
  return name === undefined
    ? ''
    : html`
    <p>It calls itself ${agentNameView(name)}. Nobody has checked that name.</p>`;
}

/** A stranger's words, set apart from ours: cut, and without what hides text or turns it around. */
export function agentNameView(name: string): View {
  return html`<bdi class="own-words">${displayText(name, SHOWN).trim()}</bdi>`;
}
