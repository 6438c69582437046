import type { Command } from 'commander';
import { needsOf } from '../../../src/agent/next-step.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { quote } from '../../../src/cli/shell/next.ts';
import { isJsonObject, type JsonObject } from '../../../src/protocol/json.ts';

/** Programs that a next step may name beside this one. */
const OTHERS: ReadonlySet<string> = new Set(['chmod', 'unset']);

/** Topics of `help` that are no commands. */
const TOPICS: ReadonlySet<string> = new Set(['options', 'errors', 'exit-codes', 'environment']);

/** Lines that the tree has understood: many tests are told the same. */
const UNDERSTOOD = new Set<string>();

/** Errors after which nothing can be typed: the user stopped it, or it cannot be solved by a command. */
const AT_AN_END: ReadonlySet<unknown> = new Set([
  'interrupted',
  'output_lost',
  'binary_answer',
  'answer_too_large',
  'database',
  'database_busy',
]);

/**
 * Takes each next step that a run printed: as JSON on stdout, its `line` is `argv` quoted and `needs` are
 * its placeholders; as JSON and after `Next:` on stderr, the command tree understands it. Nothing is run.
 * @returns how many there were.
 * @throws Error naming the step that is wrong.
 */
export async function checkNextSteps(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  programName: string,
): Promise<number> {
  const program = programName.split(' ');
  const lines = stdout
    .split('\n')
    .filter((text) => text.startsWith('{"schema":"agent-auth.'))
    .map(parsed);
  for (const line of lines) checkGoesOn(line);
  const printed = lines.flatMap(stepsIn);
  for (const step of printed) {
    checkForms(step);
    await checkUnderstood(wordsOf(step['argv']), program);
  }
  const told = [...stderr.matchAll(/^ {2}Next: (.+)$/gm)].map(([, line = '']) => unquoted(line));
  for (const argv of told) await checkUnderstood(argv, program);
  return printed.length + told.length;
}

/** The body of an answer may begin like a line of ours. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** No error leaves its reader with nothing to do. */
function checkGoesOn(line: unknown): void {
  const error = isJsonObject(line) && line['error'];
  if (!isJsonObject(error) || error['next'] !== null || AT_AN_END.has(error['code'])) return;
  throw new Error(`The error ${String(error['code'])} has no next step.`);
}

/** Whatever has an argv and a line, wherever it stands. */
function stepsIn(value: unknown): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(stepsIn);
  if (!isJsonObject(value)) return [];
  if ('argv' in value && 'line' in value) return [value];
  return Object.values(value).flatMap(stepsIn);
}

function wordsOf(argv: unknown): readonly string[] {
  return Array.isArray(argv) ? argv.map(String) : [];
}

/** As a shell splits what {@link quote} joined. */
function unquoted(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s'\\]|\\.|'[^']*')+/g)].map(([word]) =>
    word.replace(/\\(.)|'([^']*)'/g, (_all, plain?: string, held?: string) => plain ?? held ?? ''),
  );
}

function checkForms({ argv, line, needs }: JsonObject): void {
  const words = wordsOf(argv);
  if (line !== words.map(quote).join(' ')) throw wrong(words, `has the line ${String(line)}`);
  const needed = JSON.stringify(needsOf(words));
  if (JSON.stringify(needs) !== needed) throw wrong(words, `should need ${needed}`);
}

async function checkUnderstood(words: readonly string[], program: readonly string[]) {
  if (OTHERS.has(words[0] ?? '')) return;
  if (program.some((word, index) => words[index] !== word)) {
    throw wrong(words, 'is not of this program');
  }
  const own = words.slice(program.length);
  const line = own.join('\0');
  if (UNDERSTOOD.has(line)) return;
  let understood = false;
  const tree = buildProgram(
    async () => {
      understood = true;
    },
    { stdout: () => {}, stderr: () => {}, version: '0', columns: undefined },
  );
  await tree.parseAsync(own, { from: 'user' }).catch((error: unknown) => {
    throw wrong(words, `is not understood: ${String(error)}`);
  });
  if (!understood) throw wrong(words, 'does nothing');
  if (own[0] === 'help') checkTopic(words, own.slice(1), tree);
  UNDERSTOOD.add(line);
}

/** `help` takes any words, and refuses those that name nothing only when it runs. */
function checkTopic(words: readonly string[], topic: readonly string[], tree: Command): void {
  if (topic.length === 1 && TOPICS.has(topic[0] ?? '')) return;
  let at = tree;
  for (const name of topic.filter((word) => !word.startsWith('-'))) {
    const found = at.commands.find((each) => each.name() === name);
    if (found === undefined) throw wrong(words, 'is not understood: no such topic');
    at = found;
  }
}

function wrong(words: readonly string[], why: string): Error {
  return new Error(`The next step ${JSON.stringify(words)} ${why}.`);
}
