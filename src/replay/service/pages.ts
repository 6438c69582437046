import { html, page, pageAssets, type Site } from '../../mock/index.ts';
import { shellWord } from '../../runtime/index.ts';
import { targetOf } from '../match/index.ts';
import type { RecordedExchange } from '../recording/index.ts';

const SITE: Site = { name: 'agent-auth', role: 'Replay', homePath: '/' };

/** So many kinds of requests are listed; the rest is counted. */
const MAX_LISTED = 60;

/** What a browser is shown at `/` of a replay, which answers programs as was recorded alone. */
export function replayStartPage(
  origin: string,
  exchanges: readonly RecordedExchange[],
  connects: readonly (readonly string[])[],
): Promise<Response> {
  const kinds = kindsOf(exchanges);
  const rest = kinds.length - MAX_LISTED;
  const lines = connects.map((words) => ['agent-auth connect', origin, ...words.map(shellWord)]);
  return page(SITE, {
    title: 'Start',
    headers: { vary: 'Accept' },
    body: html`
    <h1>A recorded service, answering again</h1>
    <p>It gives the answers of a transcript, with new secrets, ids and times for each agent. What was never recorded is answered 501, with what is nearest.</p>
    <dl>
      <dt>Service</dt><dd><code>${origin}</code></dd>
      <dt>Recorded exchanges</dt><dd>${exchanges.length}</dd>
    </dl>
    ${
      lines.length === 0
        ? ''
        : html`<h2 class="section">Try it</h2>
    <p class="fine caption">As the recorded agents began:</p>
${lines.map((words) => html`    <pre><code>${words.join(' ')}</code></pre>\n`)}`
    }
    <h2 class="section">What was recorded</h2>
    <ul class="plain">
${kinds
  .slice(0, MAX_LISTED)
  .map(
    ({ numbers, request, statuses }) =>
      html`      <li><code>${request}</code><br><span class="fine">${statuses} (exchange ${numbers})</span></li>\n`,
  )}    </ul>
${rest > 0 ? html`    <p class="fine">And ${rest} more.</p>` : ''}`,
  });
}

/** What a browser is shown where a program is told a problem (RFC 9457). */
export function replayProblemPage(title: string, detail: string, status: number) {
  return page(SITE, {
    title,
    status,
    headers: { vary: 'Accept' },
    body: html`
    <h1>${title}</h1>
    <p>${detail}</p>
    <p><a href="/">See what was recorded</a></p>`,
  });
}

const ASSETS = pageAssets(SITE);

/** The style and the icon of these pages; `undefined` at any other path. */
export function replayAsset(target: string): Response | undefined {
  return ASSETS.find(({ path }) => path === target)?.answer();
}

interface Kind {
  /** `POST /oauth2/token` */
  readonly request: string;
  /** `answered 400, 200` */
  readonly statuses: string;
  /** `4, 7` */
  readonly numbers: string;
}

/** Requests to one path are one kind, in the order in which they came first. */
function kindsOf(exchanges: readonly RecordedExchange[]): readonly Kind[] {
  const byLine = new Map<string, RecordedExchange[]>();
  for (const exchange of exchanges) {
    const line = recordedLine(exchange);
    byLine.set(line, [...(byLine.get(line) ?? []), exchange]);
  }
  return [...byLine].map(([request, all]) => {
    const statuses = new Set(all.map(({ response }) => String(response.status ?? 'nothing')));
    const shown = all.slice(0, 5).map(({ index }) => index + 1);
    return {
      request,
      statuses: `answered ${[...statuses].join(', ')}`,
      numbers: `${shown.join(', ')}${all.length > shown.length ? ', …' : ''}`,
    };
  });
}

/** `GET /claim`: a recorded request without the origin and the query. */
export function recordedLine({ request }: RecordedExchange): string {
  return `${request.method} ${targetOf(request.url).split('?')[0]}`;
}
