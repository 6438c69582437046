import { randomUUID } from 'node:crypto';
import { fstatSync } from 'node:fs';
import type { Sink, Streams } from '../terminal/streams.ts';
import type { OutputOptions } from './output-options.ts';

/** What prints texts of whoever is judged or looked at. */
const SHOWING_STRANGERS = new Set(['conformance', 'lint', 'discover', 'doctor']);

/**
 * Streams whose text gives the runner of GitHub Actions no command. In its log `::cmd` counts at the beginning of a
 * line, and `##[cmd]` anywhere in one: whoever is judged could set the outputs of the step. Text on stdout stands
 * between `::stop-commands::TOKEN` and `::TOKEN::`. On stderr, whose lines come in any order beside it, and in JSON and
 * JUnit, which stay what they are, what would be a command is spelled otherwise. A file is no log: it is written as it is.
 * @returns undefined where no log of Actions is written.
 */
export function actionsLog(
  argv: readonly string[],
  { json }: OutputOptions,
  streams: Streams,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly streams: Streams; readonly end: () => void } | undefined {
  if (environment['GITHUB_ACTIONS'] !== 'true') return undefined;
  if (!argv.some((word) => SHOWING_STRANGERS.has(word))) return undefined;
  const { stdin, stdout, stderr, flush } = streams;
  const token = randomUUID();
  let isStopped = false;
  const stop = () => {
    if (!isStopped) stdout.write(`::stop-commands::${token}\n`);
    isStopped = true;
  };
  const spell = SPELLED[json ? 'json' : reportOnStdout(argv)];
  const between: Sink = { ...stdout, ...writing(stdout, (text) => text, stop) };
  const safe = spell === undefined ? between : respelled(stdout, spell);
  return {
    streams: {
      stdin,
      stdout: isFile(stdout) ? stdout : safe,
      stderr: respelled(stderr, (text) =>
        text.replaceAll('##[', '# #[').replaceAll(/^(\s*)::/gm, '$1: :'),
      ),
      flush,
    },
    end: () => {
      if (isStopped) stdout.write(`\n::${token}::\n`);
    },
  };
}

/** Forms that a program reads on from a pipe: they say the same, and hold nothing that is a command. */
const SPELLED: Readonly<Record<string, (text: string) => string>> = {
  json: (text) => text.replaceAll('##[', '#\\u0023['),
  junit: (text) => text.replaceAll('##[', '&#35;#[').replaceAll(/^(\s*)::/gm, '$1&#58;:'),
};

/** The form of `--report FORMAT` or `--report FORMAT=-`; empty where there is none. */
function reportOnStdout(argv: readonly string[]): string {
  const words = argv.flatMap((word) => word.replace(/^--report=/, '--report\n').split('\n'));
  const reports = words.filter((_, index) => words[index - 1] === '--report');
  return reports.find((each) => /^\w+(?:=-)?$/.test(each))?.replace('=-', '') ?? '';
}

function respelled(sink: Sink, spell: (text: string) => string): Sink {
  return { ...sink, ...writing(sink, spell) };
}

function writing(
  sink: Sink,
  spell: (text: string) => string,
  before: () => void = () => {},
): Pick<Sink, 'write' | 'deliver'> {
  const read = (text: string | Uint8Array) => {
    before();
    return spell(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'));
  };
  return {
    write: (text) => sink.write(read(text)),
    deliver: (text) => sink.deliver(read(text)),
  };
}

function isFile({ node }: Sink): boolean {
  return 'fd' in node && typeof node.fd === 'number' && fstatSync(node.fd).isFile();
}
