import { html, type View } from './html.ts';

/**
 * What is asked before something ends for good: folded away behind the first press, so that one ends nothing, and no
 * script is needed. A program that sends the form need not unfold it.
 */
export function askedOnceView(view: {
  /** The first press, and the button that ends it: `End access`. */
  readonly verb: string;
  /** What leaves all as it is, beside that button: `Keep access`. It goes to the page of `action`. */
  readonly keep: string;
  /** Which of several it is, for who hears the page. */
  readonly ofWhich: string;
  /** What follows, in a sentence or two. */
  readonly consequence: string;
  readonly action: string;
  /** The hidden fields. */
  readonly fields: View;
  /** The name and value that the button sends. */
  readonly sends?: { readonly name: string; readonly value: string };
}): View {
  const { action, consequence, fields, keep, ofWhich, sends, verb } = view;
  const aside = html`<span class="aside"> ${ofWhich}</span>`;
  return html`<details>
        <summary><span class="folded">${verb}…</span><span class="unfolded">Are you sure?</span>${aside}</summary>
        <form method="post" action="${action}" class="asked">
          ${fields}
          <p>${consequence}</p>
          <p class="actions"><button${sends === undefined ? '' : html` name="${sends.name}" value="${sends.value}"`} class="danger">${verb}${aside}</button> <a class="button secondary" href="${action}">${keep}${aside}</a></p>
        </form>
      </details>`;
}
