import { html, type View } from '../../mock/pages/html.ts';
import type { Scopes } from '../mint/scopes.ts';

/** A service as its user is shown it: the configured name beside the URL, which cannot be made up. */
export interface AudienceShown {
  readonly issuer: string;
  readonly name: string;
  readonly scopes: Scopes;
}

/** The rows of a list about an audience. */
export function audienceRows({ issuer, name, scopes }: AudienceShown): View {
  return html`
      <dt>Service</dt><dd><strong>${name}</strong><br><code>${issuer}</code></dd>
      <dt>Access</dt><dd>${scopesShown(scopes)}</dd>`;
}

export function scopesShown(scopes: Scopes): View {
  if (scopes === undefined) return html`whatever the service grants to an agent that acts for you`;
  return html`<ul class="scopes">${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul>`;
}
