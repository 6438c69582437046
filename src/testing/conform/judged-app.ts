import type { Level, Report, Section } from '../../conformance/engine/model.ts';
import type { CrossAppOptions } from '../../conformance/service/cross-app/given.ts';
import type { Clock } from '../../runtime/index.ts';

/** Handles requests as Node's own HTTP server has them: an Express application, or the listener of `createServer`. */
export type NodeListener = (request: never, response: never) => unknown;

/** What a service under test is built with. Whoever leaves a member alone is judged without it. */
export interface JudgeSetting {
  /** Where it is going to be served: its URL, without a slash at the end. */
  readonly origin: string;
  /**
   * The issuers whose ID-JAGs the suite presents. A service that takes them from here is judged as one that trusts
   * them; `jwksUri` is where their keys are.
   */
  readonly providers: readonly { readonly issuer: string; readonly jwksUri: string }[];
  /**
   * The time, which the suite moves: nothing is waited for. A service that takes it reads all its time from it; for any
   * other the suite waits, as long as `patience` lets it.
   */
  readonly clock: Clock;
}

/** An application: of Express, of Fastify, of anything with a `fetch` from `Request` to `Response`. */
export type AppToJudge =
  | NodeListener
  | { fetch(request: Request): Response | Promise<Response> }
  | { ready(): PromiseLike<unknown>; readonly routing: NodeListener };

/** Builds the service for the place that it is going to be served at. */
export type ServiceBuilder = (setting: JudgeSetting) => AppToJudge | Promise<AppToJudge>;

/** What can be judged: the URL of a service that runs, an application, or a function that builds one. */
export type ServiceToJudge = string | URL | AppToJudge | ServiceBuilder;

/** How a service is judged. Cross-app access takes `clients` or `clientDocument`; without, its metadata alone is judged. */
export interface JudgeOptions extends Omit<CrossAppOptions, 'resources'> {
  /**
   * What is judged: `protocol`, what makes agents work; `standards`; `attacks`; `ema`, cross-app access. Default: all.
   */
  readonly section?: Section;
  /** This level and the stronger ones. Default: all. */
  readonly level?: Level;
  /**
   * The scenarios or checks to judge, as `agent-auth conformance list` names them; `*` for any letters. Default: all.
   */
  readonly only?: readonly string[];
  /** The scenarios or checks to leave out. */
  readonly skip?: readonly string[];
  /** Whether only what creates nothing is judged. Default: false. */
  readonly safe?: boolean;
  /** A protected resource: a URL, or a path; for cross-app access a second one. Default: `/api/resource`. */
  readonly resource?: string | readonly string[];
  /**
   * Where the suite's own provider listens on 127.0.0.1, for a service that runs and is configured to trust
   * `http://127.0.0.1:PORT`. Default: any free port, and the service is not taken to trust it.
   */
  readonly providerPort?: number;
  /** The control API of a mock that runs: its URL and token. */
  readonly control?: { readonly url: string; readonly token: string };
  /** The longest wait for something to expire, in milliseconds. Default: 30 000. */
  readonly patience?: number;
  /** How long an answer may take, in milliseconds. Default: 10 000. */
  readonly timeout?: number;
  /** Known failures, which do not fail it until they pass: the text of a file of `--write-baseline`. Default: none. */
  readonly baseline?: string;
  /** The seed of names and values that the suite invents, to repeat a run. Default: another one each time. */
  readonly seed?: number;
}

/** What came of it. */
export interface Judgement {
  /**
   * Whether nothing that has to hold fails but for known failures, what has to be judged was judged, and no known
   * failure passes.
   */
  readonly conforms: boolean;
  /** The judgement for people: what is wrong, with what was expected and seen, what matters most first. */
  readonly text: string;
  /** All of it. */
  readonly report: Report;
}
