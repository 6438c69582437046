import { html } from '../../mock/index.ts';
import { displayText, isJsonObject } from '../../protocol/index.ts';
import { writeText } from '../answer/index.ts';
import { targetOf } from '../match/index.ts';
import { isName, isPage, kindOf, type RecordedExchange } from '../recording/index.ts';

interface PageContext {
  readonly exchanges: readonly RecordedExchange[];
  readonly valueFor: (name: string) => string;
  readonly now: number;
}

/** What a user types; it may be a code that the agent shows. */
const TYPED = /^(?:user_code|code|otp|passcode|password|email|login_hint|username)$/;

/**
 * A page in the place of a recorded one, of which a transcript has the title alone: it says so, and has the
 * form that the recorded user sent next.
 */
export async function replayedPage(
  recorded: RecordedExchange,
  context: PageContext,
): Promise<string> {
  const { body } = recorded.response;
  const title = writeText(
    isJsonObject(body) ? displayText(String(body['title']), 200) : '',
    context,
  );
  const next = nextForm(recorded, context.exchanges);
  return `${await html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
</head>
<body>
  <main>
    <h1>${title}</h1>
    <p>A replay: this page stands for exchange ${recorded.index + 1} of a transcript, which has its title alone.</p>
    ${next === undefined ? html`<p>Here the recorded user sent nothing more.</p>` : formOf(next, context)}
  </main>
</body>
</html>
`}`;
}

/** What the user sent next, from this page as far as one can tell. */
function nextForm(
  { index }: RecordedExchange,
  exchanges: readonly RecordedExchange[],
): RecordedExchange | undefined {
  return exchanges.find(
    ({ index: at, request, to, response }) =>
      at > index &&
      to === 'service' &&
      request.method === 'POST' &&
      (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded') &&
      (isPage(response) || 'location' in response.headers),
  );
}

function formOf({ request }: RecordedExchange, context: PageContext) {
  const fields = isJsonObject(request.body) ? Object.entries(request.body) : [];
  const text = (value: unknown) =>
    typeof value === 'string' ? writeText(value, context) : String(value ?? '');
  const controls = fields
    .filter(([name]) => name !== 'decision')
    .map(([name, value]) => {
      const isTyped = TYPED.test(name);
      // A code is the user's to type, as the agent shows it.
      const preset = isTyped && typeof value === 'string' && isName(value) ? '' : text(value);
      return isTyped
        ? html`<p><label>${kindLabel(name)} <input name="${name}" value="${preset}"></label></p>`
        : html`<input type="hidden" name="${name}" value="${preset}">`;
    });
  const decides = fields.some(([name]) => name === 'decision');
  return html`<form method="post" action="${writeText(targetOf(request.url), context)}">
      ${controls}
      <p>${
        decides
          ? html`<button name="decision" value="approve">Approve</button>
        <button name="decision" value="deny">Deny</button>`
          : html`<button>Continue</button>`
      }</p>
    </form>`;
}

function kindLabel(name: string): string {
  return kindOf(`{${name}}`).replaceAll('_', ' ');
}
