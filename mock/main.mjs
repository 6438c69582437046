// Starts the mocks, waits until they answer, and leaves them running for the steps that follow.
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { env } = process;
/** Milliseconds until the mocks have to answer. */
const PATIENCE = 60_000;
const PAUSE = 50;

/**
 * @param {string} message
 * @param {number} code
 * @returns {never}
 */
function fail(message, code) {
  // As the runner reads it: one line, its own signs escaped.
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::error title=agent-auth mock::${escaped}\n`);
  process.exit(code);
}

/**
 * @param {string} name
 * @param {RegExp} pattern
 * @param {string} use
 */
function input(name, pattern, use) {
  const value = env[`INPUT_${name.toUpperCase()}`] ?? '';
  if (pattern.test(value)) return value;
  return fail(`${name} cannot be ${JSON.stringify(value)}: ${use}.`, 2);
}

/**
 * Appends to a file of the runner: outputs, variables or state.
 * @param {string} file
 * @param {Record<string, string>} values
 */
function append(file, values) {
  const path = env[file];
  if (path === undefined) return fail(`${file} is missing: this is an action of a workflow.`, 2);
  for (const [name, value] of Object.entries(values)) {
    if (/[\r\n]/.test(value)) fail(`${name} has more than one line.`, 1);
    appendFileSync(path, `${name}=${value}\n`);
  }
}

/**
 * The token of the controls, from the note that the mocks leave for other commands.
 * @param {number} pid
 */
function controlToken(pid) {
  const folder = env['XDG_RUNTIME_DIR']
    ? join(env['XDG_RUNTIME_DIR'], 'agent-auth')
    : join(tmpdir(), `agent-auth-${process.getuid?.() ?? 'user'}`);
  try {
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
      const note = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      if (note.pid === pid) return String(note.control?.token ?? '');
    }
  } catch {
    // Without a note there are no controls: the mocks said so in their log.
  }
  return '';
}

const config = input('config', /^(?!-)[^\r\n]*$/, 'name one file that does not begin with a dash');
const port = input('port', /^\d{0,5}$/, 'use a number from 0 to 65535');
const options = (env['INPUT_OPTIONS'] ?? '')
  .split(/\r?\n/)
  .map((line) => line.trim())
  .filter((line) => line !== '');

// Its own words stay out of the way of the runner's commands.
const installed = spawnSync(
  'npm',
  ['ci', '--prefix', ROOT, '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'],
  { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' },
);
if (installed.status !== 0) fail('npm ci failed: its output is above.', 1);
// No install script of others ran, so nothing is built yet.
const built = spawnSync('npm', ['run', '--prefix', ROOT, 'build'], {
  stdio: ['ignore', 2, 2],
  shell: process.platform === 'win32',
});
if (built.status !== 0) fail('npm run build failed: its output is above.', 1);

const folder = mkdtempSync(join(env['RUNNER_TEMP'] ?? tmpdir(), 'agent-auth-mock-'));
const log = join(folder, 'mock.log');
const said = openSync(log, 'a', 0o600);
const words = ['mock', 'up', '--json'];
if (config !== '') words.push('--config', config);
if (port !== '') words.push('--port', port);
const child = spawn(process.execPath, [join(ROOT, 'bin/agent-auth.js'), ...words, ...options], {
  detached: true,
  stdio: ['ignore', said, said],
  windowsHide: true,
});
closeSync(said);
let ended = /** @type {number | undefined} */ (undefined);
child.once('exit', (code) => {
  ended = code ?? 1;
});
// Before anything can go wrong: the mocks must not outlive the job.
append('GITHUB_STATE', { pid: String(child.pid ?? ''), log });

const ready = await firstAnswer();
if (ready === undefined) {
  child.kill('SIGKILL');
  fail(`The mocks did not answer within ${PATIENCE / 1000} s. ${readFileSync(log, 'utf8')}`, 1);
}
if (ready.event !== 'ready' || child.pid === undefined) {
  const message = ready.error?.message ?? readFileSync(log, 'utf8').trim();
  fail([message, ready.error?.hint].filter(Boolean).join(' '), ended || 1);
}
const token = controlToken(child.pid);
if (token !== '') process.stdout.write(`::add-mask::${token}\n`);
const { service, provider } = ready;
const ca = ready.ca ?? '';
append('GITHUB_OUTPUT', { service, provider, ca, log });
append('GITHUB_ENV', {
  AGENT_AUTH_MOCK_SERVICE: service,
  AGENT_AUTH_MOCK_PROVIDER: provider,
  AGENT_AUTH_MOCK_CA: ca,
  AGENT_AUTH_CONTROL_TOKEN: token,
});
process.stdout.write(`The service answers at ${service}, the provider at ${provider}.\n`);
child.unref();

/** The first line of the mocks that is an answer; what there is when they have ended. */
async function firstAnswer() {
  for (let waited = 0; waited < PATIENCE; waited += PAUSE) {
    const isOver = ended !== undefined;
    const lines = readFileSync(log, 'utf8').split('\n');
    const answer = lines.slice(0, -1).find((line) => line.startsWith('{'));
    const said = answer === undefined ? {} : JSON.parse(answer);
    if (said.event === 'ready' || isOver) return said;
    await sleep(PAUSE);
  }
  return undefined;
}
