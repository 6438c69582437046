import { html, raw } from '../../../../src/mock/pages/html.ts';
import { page } from '../../../../src/mock/pages/page.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import { claimPage, viewing } from '../../../../src/mock-service/faults/page-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { formValue } from './form-value.ts';

const { atHandler } = rewire;

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
      atHandler(service, { path: PATHS.token }, ({ site }, right) => async (c) => {
        const grant = (await formValue(c, 'grant_type')) ?? '';
        const isBrowser = c.req.header('accept')?.includes('text/html') === true;
        if (!isBrowser || grant.startsWith('urn:')) return right(c);
        const body = html`<h1>Unknown grant</h1><p>${raw(grant)}</p>`;
        return page(site, { title: 'Unknown grant', body, status: 400 });
      }),
    fails: { 'agent-names': ['error-pages'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
