import { html, raw } from '../../../../src/mock/pages/html.ts';
import { page } from '../../../../src/mock/pages/page.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ClaimView } from '../../../../src/mock-service/pages/claim-view.ts';
import type { Views } from '../../../../src/mock-service/pages/views.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { formValue } from './form-value.ts';

const { atHandler } = rewire;

/** The claim page says more, with the name of the agent. */
export const claimPage = (more: (name: string) => ReturnType<Views['claim']>): Rewired =>
  viewing(({ claim }) => ({
    claim: (view: ClaimView) => html`${claim(view)} ${more(view.agentName ?? '')}`,
  }));

/** Pages show what an agent calls itself another way. */
export function viewing(change: (views: Views) => Partial<Views>): Rewired {
  return ({ views }) => ({ views: { ...views, ...change(views) } });
}

/** Faults of what an agent calls itself (attack A-30). */
export const AGENT_NAME_FAULTS = {
  unescapedConnectionName: {
    description:
      'writes what an agent calls itself into the list of those with access unescaped (attack A-30)',
    parts: viewing(({ connections }) => ({
      connections: (view) => {
        const names = view.connections.map(({ agentName }) => agentName ?? '');
        return html`${connections(view)} ${raw(names.join(' '))}`;
      },
    })),
    fails: { 'agent-names': ['shown-as-text'] },
  },
  trustedAgentUrl: {
    description:
      'links what an agent calls itself, where that is a URL of any scheme (attack A-30)',
    parts: claimPage((name) =>
      URL.canParse(name) ? html`<p><a href="${name}">About this agent</a></p>` : html``,
    ),
    fails: { 'agent-names': ['no-script-link'] },
  },
  unescapedErrorPage: {
    description: 'answers a browser with a page that repeats a wrong grant unescaped (attack A-30)',
    parts: (service) =>
      atHandler(service, { path: PATHS.token }, ({ views }, right) => async (c) => {
        const grant = (await formValue(c, 'grant_type')) ?? '';
        const isBrowser = c.req.header('accept')?.includes('text/html') === true;
        if (!isBrowser || grant.startsWith('urn:')) return right(c);
        const body = html`<h1>Unknown grant</h1><p>${raw(grant)}</p>`;
        return page(views.site, { title: 'Unknown grant', body, status: 400 });
      }),
    fails: { 'agent-names': ['error-pages'] },
  },
  unescapedAgentName: {
    description: 'writes what an agent calls itself into its claim page unescaped (attack A-30)',
    parts: claimPage((name) => html`<p>${raw(name)}</p>`),
    fails: { 'agent-names': ['shown-as-text'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
