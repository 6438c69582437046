import { displayJson } from '../../protocol/text.ts';
import type { Sink, Streams } from '../terminal/streams.ts';
import { PLAIN, type Style } from '../terminal/style.ts';
import { wrap } from '../terminal/wrap.ts';
import type { CliError } from './cli-error.ts';
import { exitCode } from './exit-codes.ts';
import { withInstalledPages } from './installed-page.ts';
import type { OutputOptions } from './output-options.ts';
import { SCHEMAS, type SchemaName } from './schemas.ts';

export type JsonData = Readonly<Record<string, unknown>>;

/** A result in both its forms; only the one that is wanted is made. */
export interface Rendering {
  readonly schema: SchemaName;
  readonly json: () => JsonData;
  /**
   * The text for a person, without a final line break. An empty text prints nothing.
   * @param columns of the screen; infinite for what is no screen.
   */
  readonly human: (style: Style, columns: number) => string;
  /** Whether a screen breaks its lines between words. What is copied from there (a configuration) stays whole. */
  readonly wraps?: true;
}

/**
 * Results go to stdout, as text or as one JSON object per line; everything else for people goes to stderr.
 * With `--json` stderr stays empty (`2>&1 | jq`).
 */
export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly #streams: Streams;

  constructor(streams: Streams, options: OutputOptions) {
    this.#streams = streams;
    this.json = options.json;
    this.quiet = options.quiet;
  }

  /** Colours of stderr. */
  get style(): Style {
    return this.json ? PLAIN : this.#streams.stderr.style;
  }

  /** Whether spinners and prompts may be shown: a terminal without `--json` and `--quiet`. */
  get interactive(): boolean {
    return this.chatty && this.#streams.stderr.isTTY;
  }

  /** `--json` and `--quiet` leave results and errors only. */
  get chatty(): boolean {
    return !this.json && !this.quiet;
  }

  /** @returns what a command ends with that has nothing more to say. */
  result(rendering: Rendering): 'done' {
    if (this.json) {
      this.#printJson(SCHEMAS[rendering.schema], rendering.json());
      return 'done';
    }
    const { stdout } = this.#streams;
    const text = rendering.human(stdout.style, columnsOf(stdout));
    if (text !== '' && rendering.wraps) this.#write(stdout, text);
    else if (text !== '') stdout.write(`${text}\n`);
    return 'done';
  }

  /** An event of a running server: text on stderr, JSON on stdout. */
  event(rendering: Rendering): void {
    if (this.json) this.#printJson(SCHEMAS[rendering.schema], rendering.json());
    else this.say(rendering.human(this.style, columnsOf(this.#streams.stderr)));
  }

  /** Bytes as they are: a token, the body of an answer. */
  raw(data: string | Uint8Array): void {
    this.#streams.stdout.write(data);
  }

  /** The same with backpressure. Resolves to `false` when the reader has gone. */
  deliver(data: string | Uint8Array): Promise<boolean> {
    return this.#streams.stdout.deliver(data);
  }

  /** A line on stderr, left out by `--json` and `--quiet`. */
  say(text = ''): void {
    if (this.chatty) this.#write(this.#streams.stderr, text);
  }

  /** Prints like {@link say}, but `--quiet` does not silence it. */
  warn(text: string): void {
    if (!this.json) this.#write(this.#streams.stderr, `${this.style.yellow('!')} ${text}`);
  }

  fail(error: CliError): void {
    if (this.json) this.#printJson(SCHEMAS.error, describe(error));
    else this.#print(error);
  }

  /** An error of stdout itself, reported on stderr in either form. */
  failBeside(error: CliError): void {
    if (this.json) this.#streams.stderr.write(jsonLine(SCHEMAS.error, describe(error)));
    else this.#print(error);
  }

  #print(error: CliError): void {
    const { red, cyan } = this.style;
    const lines = [`${red('✗')} ${error.message}`];
    if (error.hint !== undefined) lines.push(`  ${withInstalledPages(error.hint)}`);
    if (error.next !== undefined) lines.push(`  Next: ${cyan(error.next.line)}`);
    this.#write(this.#streams.stderr, lines.join('\n'));
  }

  /** Writes a text, on a screen without a word that is cut at its edge. */
  #write(sink: Sink, text: string): void {
    sink.write(`${wrap(text, columnsOf(sink))}\n`);
  }

  #printJson(schema: string, data: JsonData): void {
    this.#streams.stdout.write(jsonLine(schema, data));
  }
}

function columnsOf({ columns, isTTY, sized }: Sink): number {
  return isTTY && sized ? columns : Number.POSITIVE_INFINITY;
}

function jsonLine(schema: string, data: JsonData): string {
  return `${displayJson(JSON.stringify({ schema, ...data }))}\n`;
}

function describe(error: CliError): JsonData {
  return {
    error: {
      code: error.code,
      message: error.message,
      hint: error.hint === undefined ? null : withInstalledPages(error.hint),
      next: error.next ?? null,
      retryable: error.retryable,
      exit_code: exitCode(error.outcome),
    },
    ...error.details,
  };
}
