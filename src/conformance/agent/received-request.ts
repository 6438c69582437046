import { isObject } from '../http/answer.ts';

/** The purpose of a request, from its endpoint and grant type. */
export type RequestKind =
  | 'resource'
  | 'resource_metadata'
  | 'server_metadata'
  | 'identity'
  | 'claim'
  | 'exchange'
  | 'poll'
  | 'revoke'
  | 'skill'
  | 'directory'
  | 'page'
  | 'device'
  | 'device_poll'
  | 'mint'
  | 'authorize'
  | 'code'
  | 'refresh'
  | 'other';

type RequestFacts = Pick<
  ReceivedRequest,
  'number' | 'at' | 'to' | 'kind' | 'method' | 'url' | 'headers' | 'body'
>;

/** A request of the agent, secrets included; kept in memory while its scenario runs. */
export class ReceivedRequest {
  /** The number of the exchange in the report. */
  readonly number: number;
  /** Milliseconds, by the harness's clock. */
  readonly at: number;
  /** The name of the peer that received it. */
  readonly to: string;
  readonly kind: RequestKind;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  /** Undefined until it is answered. */
  answer: { readonly status: number; readonly body: string } | undefined;

  constructor(facts: RequestFacts) {
    this.number = facts.number;
    this.at = facts.at;
    this.to = facts.to;
    this.kind = facts.kind;
    this.method = facts.method;
    this.url = facts.url;
    this.headers = facts.headers;
    this.body = facts.body;
  }

  /** The body as a JSON object; undefined when it is none. */
  get json(): Readonly<Record<string, unknown>> | undefined {
    return parseObject(this.body);
  }

  get form(): URLSearchParams {
    const type = this.headers.get('content-type') ?? '';
    const isForm = type.toLowerCase().startsWith('application/x-www-form-urlencoded');
    return new URLSearchParams(isForm ? this.body : '');
  }

  /** The bearer token of its Authorization header. */
  get bearer(): string | undefined {
    return /^bearer +(.*)$/is.exec(this.headers.get('authorization') ?? '')?.[1];
  }

  /** The answer as a JSON object. */
  get answered(): Readonly<Record<string, unknown>> | undefined {
    return this.answer && parseObject(this.answer.body);
  }

  /** A string member of the JSON body, or a parameter of the form. */
  member(name: string): string | undefined {
    const value = this.json?.[name];
    return typeof value === 'string' ? value : (this.form.get(name) ?? undefined);
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
