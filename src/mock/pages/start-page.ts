import { wantsPage } from '../http/request.ts';
import { json } from '../http/response.ts';
import { html, type View } from './html.ts';
import { page } from './page.ts';
import type { Site } from './site.ts';

/**
 * The answer of `/`: a page for a browser, for a program what this is and where its documents are.
 * It depends on nothing but the request, and makes no session.
 */
export async function startPage(
  site: Site,
  request: Request,
  view: () => StartView | Promise<StartView>,
): Promise<Response> {
  const start = await view();
  const headers = { vary: 'Accept' };
  if (wantsPage(request)) return page(site, { title: 'Start', body: startView(start), headers });
  const { about, endpoints, issuer } = start;
  return json(
    {
      kind: site.role.toLowerCase(),
      name: site.name,
      issuer,
      description: about,
      endpoints: Object.fromEntries(endpoints.map(({ name, path }) => [name, issuer + path])),
    },
    { headers },
  );
}

/** What a mock says of itself at `/`. */
export interface StartView {
  readonly title: string;
  /** What it is, in one or two sentences. */
  readonly about: string;
  readonly issuer: string;
  /** What its user can do here. */
  readonly actions: readonly StartAction[];
  /** Lines to paste into a shell, each with what it does. */
  readonly lines: readonly { readonly line: string; readonly description: string }[];
  /** The endpoints for programs. */
  readonly endpoints: readonly StartEndpoint[];
  /** Who is signed in. */
  readonly session?: View;
}

/** The page has neither codes nor buttons: whoever runs the mock opens the view that has. */
export function liveViewLine(issuer: string): StartView['lines'][number] {
  return {
    line: `agent-auth mock open --service ${issuer}`,
    description: 'See what happens here while it happens, where agent-auth mock runs this:',
  };
}

interface StartAction {
  readonly path: string;
  readonly text: string;
}

export interface StartEndpoint {
  /** The name for programs, in `snake_case`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly description: string;
}

export function getEndpoint(name: string, path: string, description: string): StartEndpoint {
  return { name, method: 'GET', path, description };
}

export function postEndpoint(name: string, path: string, description: string): StartEndpoint {
  return { name, method: 'POST', path, description };
}

export function startView(view: StartView): View {
  const { about, actions, endpoints, issuer, lines, session, title } = view;
  return html`
    <h1>${title}</h1>
    <p>${about}</p>
    <dl>
      <dt>Issuer</dt><dd><code>${issuer}</code></dd>
    </dl>
    <ul class="plain">
${actions.map(({ path, text }) => html`      <li><a href="${path}">${text}</a></li>\n`)}
    </ul>
    ${session ?? ''}
    <h2 class="section">Try it</h2>
${lines.map(({ line, description }) => html`    <p class="fine caption">${description}</p>\n    <pre><code>${line}</code></pre>\n`)}
    <h2 class="section">Endpoints</h2>
    <ul class="plain">
${endpoints.map(({ description, method, path }) => html`      <li><code>${method} ${method === 'GET' ? html`<a href="${path}">${path}</a>` : path}</code><br><span class="fine">${description}</span></li>\n`)}
    </ul>`;
}
