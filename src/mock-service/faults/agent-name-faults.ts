import { atHandler, html, page, raw } from '../../mock/index.ts';
import { PATHS } from '../config/paths.ts';
import type { ClaimView } from '../pages/claim-view.ts';
import type { Views } from '../pages/views.ts';
import { formValue } from './form-value.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';

/** Pages show what an agent calls itself another way. */
function viewing(change: (views: Views) => Partial<Views>): Rewired {
  return ({ views }) => ({ views: { ...views, ...change(views) } });
}

/** The claim page says more, with the name of the agent. */
const claimPage = (more: (name: string) => ReturnType<Views['claim']>): Rewired =>
  viewing(({ claim }) => ({
    claim: (view: ClaimView) => html`${claim(view)} ${more(view.agentName ?? '')}`,
  }));

/** Faults of what an agent calls itself (attack A-30). */
export const AGENT_NAME_FAULTS = {
  unescapedAgentName: {
    description: 'writes what an agent calls itself into its claim page unescaped (attack A-30)',
    parts: claimPage((name) => html`<p>${raw(name)}</p>`),
    breaks: ['A-30.service'],
    fails: { 'agent-names': ['shown-as-text'] },
  },
  unescapedConnectionName: {
    description:
      'writes what an agent calls itself into the list of those with access unescaped (attack A-30)',
    parts: viewing(({ connections }) => ({
      connections: (view) => {
        const names = view.connections.map(({ agentName }) => agentName ?? '');
        return html`${connections(view)} ${raw(names.join(' '))}`;
      },
    })),
    breaks: ['A-30.service'],
    fails: { 'agent-names': ['shown-as-text'] },
  },
  trustedAgentUrl: {
    description:
      'links what an agent calls itself, where that is a URL of any scheme (attack A-30)',
    parts: claimPage((name) =>
      URL.canParse(name) ? html`<p><a href="${name}">About this agent</a></p>` : html``,
    ),
    breaks: ['A-30.service'],
    fails: { 'agent-names': ['no-script-link'] },
  },
  unescapedErrorPage: {
    description: 'answers a browser with a page that repeats a wrong grant unescaped (attack A-30)',
    parts: (service) =>
      atHandler(service, { path: PATHS.token }, ({ site }, right) => async (c) => {
        const grant = (await formValue(c, 'grant_type')) ?? '';
        const isBrowser = c.req.header('accept')?.includes('text/html') === true;
        if (!isBrowser || grant.startsWith('urn:')) return right(c);
        const body = html`<h1>Unknown grant</h1><p>${raw(grant)}</p>`;
        return page(site, { title: 'Unknown grant', body, status: 400 });
      }),
    breaks: ['A-30.service'],
    fails: { 'agent-names': ['error-pages'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
