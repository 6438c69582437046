import { html, type View } from '../../mock/index.ts';

const TEXTS = {
  sign_in_approved: {
    title: 'Your agent is signed in',
    text: 'It notices within seconds. You can close this page.',
  },
  sign_in_denied: {
    title: 'You refused',
    text: 'The agent is told so, and is not signed in.',
  },
  consent_approved: {
    title: 'You agreed',
    text: 'Your agent can go on now. You can close this page.',
  },
  consent_denied: {
    title: 'You refused',
    text: 'The agent is told so. The service learns nothing about you.',
  },
} as const;

/** The end of a question. `about`: which agent, or which service. */
export function endView(end: keyof typeof TEXTS, about: string): View {
  const { title, text } = TEXTS[end];
  return html`
    <h1>${title}</h1>
    <p>${text}</p>
    <p class="fine">${about}</p>`;
}
