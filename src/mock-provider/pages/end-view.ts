import { html, type View } from '../../mock/index.ts';

const TEXTS = {
  sign_in_approved: {
    title: 'Your agent is signed in',
    text: 'It will notice within seconds. You can close this page.',
  },
  sign_in_denied: {
    title: 'Sign-in denied',
    text: 'The agent will be told, and is not signed in.',
  },
  consent_approved: {
    title: 'Consent given',
    text: 'Your agent can continue. You can close this page.',
  },
  consent_denied: {
    title: 'Consent denied',
    text: 'The agent will be told. The service learns nothing about you.',
  },
} as const;

/** The page after an answer. `about`: which agent, or which service. */
export function endView(end: keyof typeof TEXTS, about: string): View {
  const { title, text } = TEXTS[end];
  return html`
    <h1>${title}</h1>
    <p>${text}</p>
    <p class="fine">${about}</p>`;
}
