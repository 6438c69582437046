import {
  type Actor,
  type Exchange,
  Explainer,
  type Step,
  type TranscribedExchange,
  type TranscribedMessage,
  type Transcript,
} from '../../exchanges/index.ts';
import { isJsonObject } from '../../protocol/index.ts';
import { isOfRegistration, namesIn, replaceNames } from './names.ts';

/** One exchange of the transcript, and what it is in the procedure. */
export interface RecordedExchange extends TranscribedExchange {
  /** From 0, in the order in which they happened. */
  readonly index: number;
  readonly step: Step;
  readonly from: Actor;
  /** Which of the recorded registrations it is about: any number. */
  readonly group: number | undefined;
  /** Whether a browser fetched it by itself, for a page that its user looked at. */
  readonly isLoaded: boolean;
  /** Whether others are answered otherwise after it. */
  readonly isTurn: boolean;
  /** What its answer is the first to have. */
  readonly gives: readonly string[];
  /** What its request has that an earlier answer gave. */
  readonly needs: readonly string[];
}

/** What changes the state of a registration, once it has worked. */
const TURNS: ReadonlySet<Step> = new Set([
  'register',
  'open_claim',
  'complete_claim',
  'connections',
  'revoke',
  'event',
]);

/** A transcript, with what each exchange is and how they hang together. */
export function readRecording({ exchanges }: Transcript): readonly RecordedExchange[] {
  const explainer = new Explainer();
  const groups = new Groups();
  const given = new Set<string>();
  const asked = new Set<string>();
  const noted = exchanges.map((exchange, index) => {
    const { from, step } = explainer.explain(explainable(exchange, index));
    const { request, response } = exchange;
    const sent = namesIn([request.url, request.headers, request.body]);
    const answered = namesIn([response.headers, response.body]);
    const needs = sent.filter((name) => given.has(name));
    for (const name of sent) if (!given.has(name)) asked.add(name);
    const gives = answered.filter((name) => !given.has(name) && !asked.has(name));
    for (const name of gives) given.add(name);
    groups.join([...sent, ...answered].filter(isOfRegistration));
    const isTurn =
      TURNS.has(step) &&
      request.method !== 'GET' &&
      response.status !== null &&
      response.status < 400;
    const isLoaded = isLoadedByBrowser(exchange);
    return {
      ...exchange,
      index,
      step,
      from,
      isLoaded,
      isTurn,
      gives,
      needs,
      all: [...sent, ...answered],
    };
  });
  return noted.map(({ all, ...exchange }, index) => ({
    ...exchange,
    from: senderOf(exchange, noted[index + 1]),
    group: groups.of(all.find(isOfRegistration)),
  }));
}

const BROWSER_TYPE = /^(?:text\/css|image\/|font\/|(?:text|application)\/javascript)/;

/** Styles, icons, scripts: what asked for them says a transcript by the types alone (Fetch §2.2.7). */
function isLoadedByBrowser({ request, response }: TranscribedExchange): boolean {
  if (request.method !== 'GET') return false;
  if ('authorization' in request.headers) return false;
  return (
    BROWSER_TYPE.test(request.headers['accept'] ?? '') ||
    BROWSER_TYPE.test(response.headers['content-type'] ?? '') ||
    /\/favicon\.ico$/.test(request.url)
  );
}

function senderOf(
  exchange: Pick<RecordedExchange, 'from' | 'isLoaded' | 'step' | 'to'>,
  next: Pick<RecordedExchange, 'step' | 'to'> | undefined,
): Actor {
  if (exchange.isLoaded) return 'user';
  return isKeySearch(exchange, next) ? 'service' : exchange.from;
}

/** A service reads the provider's metadata to find its keys; an agent does not go on to those. */
function isKeySearch(
  { step, to }: Pick<RecordedExchange, 'step' | 'to'>,
  next: Pick<RecordedExchange, 'step' | 'to'> | undefined,
): boolean {
  return to === 'provider' && step === 'server_metadata' && next?.to === to && next.step === 'keys';
}

/** Names that stand together in an exchange belong to one registration. */
class Groups {
  readonly #parents = new Map<string, string>();
  readonly #numbers = new Map<string, number>();

  join([first, ...others]: readonly string[]): void {
    if (first === undefined) return;
    const root = this.#root(first);
    for (const name of others) this.#parents.set(this.#root(name), root);
  }

  of(name: string | undefined): number | undefined {
    if (name === undefined) return undefined;
    const root = this.#root(name);
    const number = this.#numbers.get(root) ?? this.#numbers.size;
    this.#numbers.set(root, number);
    return number;
  }

  #root(name: string): string {
    let root = name;
    for (;;) {
      const parent = this.#parents.get(root) ?? root;
      if (parent === root) break;
      root = parent;
    }
    this.#parents.set(name, root);
    return root;
  }
}

/** Where the recorded ones lie: nobody is there. */
const ORIGINS: Readonly<Record<string, string>> = {
  '{service}': 'https://service.invalid',
  '{provider}': 'https://provider.invalid',
};

/** As the explainer reads exchanges that it sees happen. */
function explainable({ request, response, to }: TranscribedExchange, index: number): Exchange {
  const url = withOrigins(request.url);
  return {
    seq: index + 1,
    to,
    at: index,
    duration: 0,
    method: request.method,
    url,
    path: URL.canParse(url) ? new URL(url).pathname : url,
    request: seenMessage(request),
    status: response.status,
    response: seenMessage(response),
  };
}

function seenMessage(message: TranscribedMessage): Exchange['request'] {
  const { headers } = message;
  const body = mapTexts(message.body, withOrigins);
  return { headers, body, bodyState: stateOf(message), bytes: 0 };
}

function stateOf(message: TranscribedMessage): Exchange['request']['bodyState'] {
  if (message.body === null) return 'none';
  return message.body_state ?? (isPage(message) ? 'page' : 'whole');
}

/** Whether it was HTML, of which a transcript has the title alone. */
export function isPage({ headers, body }: TranscribedMessage): boolean {
  return (
    /\b(?:xhtml|html)\b/.test(headers['content-type'] ?? '') &&
    isJsonObject(body) &&
    typeof body['title'] === 'string'
  );
}

function withOrigins(text: string): string {
  return replaceNames(text, (name) => ORIGINS[name] ?? name);
}

/** A value of JSON with each text in it replaced. */
function mapTexts(value: unknown, to: (text: string) => string): unknown {
  if (typeof value === 'string') return to(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, to));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapTexts(each, to)]),
  );
}
