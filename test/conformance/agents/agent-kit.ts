import type { AgentTaskContext } from '../../../src/conformance/index.ts';
import { NetworkError } from '../../../src/runtime/index.ts';
import type { Break } from './breaks.ts';
import type { SendOptions, Tools } from './memory-harness.ts';

export type Json = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json | undefined;
}

/** Ends a task: the message for the user, and the exit code. */
export class Stop extends Error {
  readonly code: number;

  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}

const LARGEST = 1024 * 1024;
const TIMEOUT = 10_000;
const LONGEST_PAUSE = 60_000;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** What every part of the agent of the tests stands on. */
export class Kit {
  readonly tools: Tools;
  readonly context: AgentTaskContext;
  readonly #breaks: ReadonlySet<Break>;

  constructor(tools: Tools, breaks: ReadonlySet<Break>) {
    this.tools = tools;
    this.context = JSON.parse(tools.variables['AGENT_AUTH_CONTEXT'] ?? '{}') as AgentTaskContext;
    this.#breaks = breaks;
  }

  is(name: Break): boolean {
    return this.#breaks.has(name);
  }

  say(text: string): void {
    this.tools.say(this.clean(text));
  }

  warn(text: string): void {
    this.tools.warn(this.clean(text));
  }

  clean(text: string): string {
    if (this.is('printsRaw')) return text;
    const safe = text.replace(/[^\P{Cc}\n]/gu, '').replace(/\p{Cf}/gu, '');
    return this.is('asciiOnly') ? safe.replace(/[^\n -~]/g, '') : safe;
  }

  checkUrl(url: unknown): string {
    const text = this.is('coercesMembers') && url !== undefined ? String(url) : url;
    if (typeof text !== 'string' || !URL.canParse(text)) throw new Stop('This is not a URL.');
    const { protocol, hostname } = new URL(text);
    const isLocal =
      hostname === '127.0.0.1' ||
      (this.is('trustsPrefixOfHost') && /^http:\/\/(127\.|localhost)/.test(text));
    const fits =
      protocol === 'https:' || (protocol === 'http:' && (isLocal || this.is('followsHttp')));
    if (!fits) throw new Stop(`${text} is not https.`);
    return text;
  }

  async send(url: string, options: SendOptions = {}): Promise<Reply> {
    const response = await this.tools.send(url, {
      ...options,
      ...(!this.is('waitsForEver') && { timeout: TIMEOUT }),
      bodyLimit: this.#bodyLimit(options.body ?? ''),
      anyCertificate: this.is('trustsAnyCertificate'),
    });
    const location = response.headers.get('location');
    const isMetadata =
      options.body === undefined && options.headers?.['authorization'] === undefined;
    const follows =
      this.is('followsRedirects') || (isMetadata && this.is('followsMetadataRedirects'));
    if (location !== null && follows) return this.send(location, options);
    const text = await this.#read(response);
    return { status: response.status, headers: response.headers, text, json: this.#parse(text) };
  }

  #bodyLimit(sent: string): 'whole' | 'each byte' | 'none' {
    if (this.is('waitsForRegistration') && sent.includes('"type"')) return 'none';
    if (this.is('waitsForToken') && sent.includes('assertion=')) return 'none';
    if (this.is('waitsForPoll') && sent.includes('claim_token=')) return 'none';
    if (this.is('waitsForBody')) return 'none';
    return this.is('waitsForEachByte') ? 'each byte' : 'whole';
  }

  async #read(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > LARGEST && !this.is('readsEverything')) throw new Stop('That is too much.');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #parse(text: string): Json | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return undefined;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const isToken = 'token_type' in value;
    if (this.is('crashesOnDepth') || (isToken && this.is('crashesOnDeepTokens')))
      value = copyOf(value);
    const merges = this.is('mergesPrototype') || (isToken && this.is('mergesTokens'));
    return merges ? (Object.assign({}, value) as Json) : (value as Json);
  }

  postJson(url: string, body: Json): Promise<Reply> {
    const headers = { 'content-type': JSON_TYPE };
    return this.send(url, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  postForm(url: string, form: Readonly<Record<string, string>>): Promise<Reply> {
    const headers = { 'content-type': FORM_TYPE };
    return this.send(url, { method: 'POST', headers, body: new URLSearchParams(form).toString() });
  }

  /** Up to three times after a 5xx or a 429, with pauses. */
  async patiently(send: () => Promise<Reply>): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const reply = await send();
      const again =
        reply.status >= 500 ||
        reply.status === 429 ||
        (reply.status === 400 &&
          this.is('repeats400') &&
          this.errorOf(reply) === 'invalid_request');
      if (!again || tries === 3) return reply;
      const pause = this.pauseAfter(reply, 500 * 2 ** tries);
      if (pause > LONGEST_PAUSE && !this.is('waitsAnyRetryAfter')) return reply;
      await this.tools.sleep(pause);
    }
  }

  pauseAfter({ headers }: Reply, usual: number): number {
    const asked = Number(headers.get('retry-after') ?? 0) * 1000;
    if (this.is('retriesAtOnce') && asked === 0) return 0;
    return this.is('ignoresRetryAfter') ? Math.min(usual, 1000) : Math.max(usual, asked);
  }

  errorOf({ json }: Reply): string | undefined {
    const error = json?.['error'];
    if (typeof error === 'string') return error;
    const nested = (error as Json | undefined)?.['code'] ?? json?.['err'];
    return typeof nested === 'string' ? nested : undefined;
  }

  textOf(reply: Reply): string {
    const { json } = reply;
    const nested = (json?.['error'] as Json | undefined)?.['message'];
    const text =
      json?.['error_description'] ?? json?.['message'] ?? json?.['description'] ?? nested;
    const shown = typeof text === 'string' ? `: ${text}` : '';
    return `${reply.status} ${this.errorOf(reply) ?? ''}${shown}`;
  }

  /** A refusal; its text is the message. */
  async refused(reply: Reply): Promise<Stop> {
    const text = this.textOf(reply);
    const named = /https?:\/\/\S+/.exec(text)?.[0];
    if (this.is('obeysTexts') && named !== undefined) await this.send(named);
    return new Stop(text);
  }

  isLoss(error: unknown): boolean {
    return error instanceof NetworkError && error.code === 'reset';
  }
}

/** Member by member, a call for each level: what is deep enough leaves no stack. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]));
}
