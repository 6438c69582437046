import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CONFIG_SCHEMAS } from '../../../src/cli/mock/servers/config/config-schema.ts';
import { readBaseline } from '../../../src/conformance/engine/baseline.ts';
import { readAccounts } from '../../../src/conformance/user/accounts.ts';
import { problemOf } from '../../support/command-tree.ts';
import { LIMITED } from '../../support/limited.ts';
import { ROOT } from '../project.ts';
import type { Block } from './read-page.ts';
import { readSnippets, runsAlone } from './snippets.ts';

/** By its kind: what reads a block that no command of its page uses, and no command has printed. */
const CHECKS: Readonly<Record<string, (block: Block) => void>> = {
  ts: isSnippet,
  python: isPartOfExample,
  go: isPartOfExample,
  js: isPartOfExample,
  sh: ({ text }) => isReadBy('bash', ['-n'], text),
  json: ({ text }) => checkJson(JSON.parse(text)),
  jsonc: ({ text }) => checkExchanges(text),
  http: ({ text }) => checkHttp(text),
  yaml: ({ text }) => checkYaml(text),
};

/** @throws Error where nothing knows how to read it, or what does refuses it. */
export async function checkAlone(block: Block): Promise<void> {
  const check = CHECKS[block.kind];
  if (check === undefined) throw new Error(refusal(block));
  check(block);
}

function refusal({ kind, file }: Block): string {
  if (kind === '') return 'A block has to say what it is: ```sh, ```text and so on.';
  if (file !== undefined) return `No command of the page uses ${file}.`;
  if (kind === 'text') return 'A text shows what the commands above it print: there are none.';
  return `Nobody runs or reads a block of ${kind}: see test/package/pages/README.md.`;
}

function isSnippet({ place, text }: Block): void {
  const snippet = readSnippets().find((each) => each.text === text);
  if (snippet === undefined) throw new Error(`snippets.test.ts does not know ${place}.`);
  if (!runsAlone(snippet)) {
    throw new Error('This does not run by itself: name its file, and run it by a command below.');
  }
}

/** `languages.test.ts` runs those of other languages, `sample-adapter.test.ts` the adapter. A line with `…` leaves lines out. */
function isPartOfExample(block: Block): void {
  const folder = join(ROOT, 'docs/examples');
  const pieces = block.text.split(/^.*….*\n/m);
  const isThere = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .some((text) => pieces.every((piece) => text.includes(piece)));
  if (!isThere) throw new Error(refusal(block));
}

function isReadBy(program: string, args: readonly string[], text: string): void {
  const { status, stderr } = spawnSync(program, args, {
    ...LIMITED,
    input: text,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

interface Started {
  readonly command?: unknown;
  readonly args?: unknown;
}

/** Hosts of MCP start a program: its command line has to be one of ours. */
function checkJson(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { command, args }: Started = value;
  if (typeof command === 'string' && Array.isArray(args)) {
    const words = [command, ...args].filter((word) => !['npx', '-y', '--yes'].includes(word));
    if (words[0] === 'agent-auth')
      isReadBy(
        process.execPath,
        [join(ROOT, 'bin/agent-auth.js'), ...words.slice(1), '--help'],
        '',
      );
  }
  for (const each of Object.values(value)) checkJson(each);
}

/** Bodies, a line each; `→ 401` comes before that of an answer, what it means behind it. `…` is left out. */
function checkExchanges(text: string): void {
  for (const line of text.trimEnd().split('\n')) {
    const [, body = ''] = /^(?:→ \d{3} )?(\{.*\})(?: {3,}\S.*)?$/.exec(line) ?? [];
    if (body === '') throw new Error(`no body: ${line}`);
    JSON.parse(body.replaceAll('{ … }', '{}'));
  }
}

/** RFC 9112 §3 and §4: a start line, fields, and a body behind an empty line. */
function checkHttp(text: string): void {
  const [start = '', ...rest] = text.trimEnd().split('\n');
  const end = rest.indexOf('');
  const fields = end === -1 ? rest : rest.slice(0, end);
  if (!/^(HTTP\/1\.1 \d{3}( .+)?|[A-Z]+ \S+( HTTP\/1\.1)?)$/.test(start))
    throw new Error(`no start line: ${start}`);
  const wrong = fields.find((field) => !/^[\w-]+: .+$/.test(field));
  if (wrong !== undefined) throw new Error(`no header field: ${wrong}`);
}

/** Of GitLab. */
interface Job {
  readonly script?: readonly string[];
  readonly before_script?: readonly string[];
}

/** Of GitHub. */
interface Step {
  readonly run?: unknown;
  readonly uses?: unknown;
  readonly with?: unknown;
}

/** A workflow of GitHub or GitLab, steps of one, a baseline, a list of users, or the configuration of a mock. */
function checkYaml(text: string): void {
  const value: unknown = parse(text);
  if (/^schema: agent-auth\.conformance-baseline/m.test(text)) return void readBaseline(text);
  if (/^- email:/m.test(text)) return void readAccounts(text);
  for (const config of configsIn(value)) CONFIG_SCHEMAS.up.parse(parse(config));
  const steps = stepsIn(value);
  for (const step of steps) checkStep(step);
  if (steps.length > 0) return;
  const jobs: readonly Job[] = Object.values(Object(value));
  const scripts = jobs.flatMap((job) => [...(job?.before_script ?? []), ...(job?.script ?? [])]);
  for (const line of scripts) checkScript(line);
  if (scripts.length > 0) return;
  CONFIG_SCHEMAS.up.parse(value);
}

/** Bash has to understand it, and our program to have the commands and options. */
export function checkScript(script: string): void {
  isReadBy('bash', ['-n'], script);
  const joined = script.replaceAll(/\\\n/g, ' ').replaceAll(/\$\{\{.*?\}\}/g, 'VALUE');
  for (const [line] of joined.matchAll(/\bagent-auth (?=[a-z-])[^|&;>\n]*/g)) {
    const problem = problemOf(line.trim());
    if (problem !== undefined) throw new Error(problem);
  }
}

/** What AGENT_AUTH_MOCK_CONFIG holds, wherever it is set. */
function configsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'AGENT_AUTH_MOCK_CONFIG' ? [String(each)] : configsIn(each),
  );
}

function stepsIn(value: unknown): readonly Step[] {
  if (typeof value !== 'object' || value === null) return [];
  const isStep = !Array.isArray(value) && ('uses' in value || 'run' in value);
  return isStep ? [value] : Object.values(value).flatMap(stepsIn);
}

/** The inputs of our actions; those of others are theirs. */
function checkStep({ run, uses, with: given }: Step): void {
  if (typeof run === 'string') checkScript(run);
  const [, folder] = /\/agent-auth(\/mock)?@/.exec(String(uses)) ?? [];
  if (!String(uses).includes('/agent-auth')) return;
  const action = readFileSync(join(ROOT, folder ?? '.', 'action.yml'), 'utf8');
  const { inputs }: { inputs: Readonly<Record<string, unknown>> } = parse(action);
  const unknown = Object.keys(Object(given)).filter((name) => !(name in inputs));
  if (unknown.length > 0) throw new Error(`${uses} has no input ${unknown.join(', ')}.`);
}
