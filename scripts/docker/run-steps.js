// Carries out the Dockerfile where there is no Docker: its stages are folders, its paths lie below them, its steps run
// with the Node.js that is here, and its program as a user without rights. `node scripts/docker/run-steps.js`
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDockerfile } from './read-dockerfile.js';

const ROOT = join(import.meta.dirname, '../..');
/** Milliseconds until the program has to be healthy, and after that gone. */
const PATIENCE = 60_000;
/** Everybody's user without rights. */
const NOBODY = 65_534;

/**
 * @typedef {object} Stage
 * @property {string} folder what stands for `/`
 * @property {string} workdir
 * @property {Record<string, string>} env
 * @property {string | undefined} user
 * @property {readonly string[]} health
 * @property {readonly string[]} entrypoint
 * @property {readonly string[]} command
 */

const top = mkdtempSync(join(tmpdir(), 'agent-auth-docker-'));
chmodSync(top, 0o755);
let failed = true;
try {
  await runImage(build());
  failed = false;
} finally {
  rmSync(top, { recursive: true, force: true });
  process.exitCode = failed ? 1 : 0;
}

/** @returns {Stage} the last one */
function build() {
  /** @type {Map<string, Stage>} */
  const stages = new Map();
  /** @type {Stage | undefined} */
  let stage;
  for (const { name, flags, rest, words, isJson } of readDockerfile(
    readFileSync(join(ROOT, 'Dockerfile'), 'utf8'),
  )) {
    process.stdout.write(`${name} ${rest}\n`);
    if (name === 'FROM') {
      const folder = mkdtempSync(join(top, 'stage-'));
      chmodSync(folder, 0o755);
      stage = {
        folder,
        workdir: '/',
        env: {},
        user: undefined,
        health: [],
        entrypoint: [],
        command: [],
      };
      stages.set(words[2] ?? String(stages.size), stage);
      continue;
    }
    if (stage === undefined) throw new Error('The Dockerfile begins without FROM.');
    if (name === 'WORKDIR') {
      stage.workdir = rest;
      mkdirSync(join(stage.folder, rest), { recursive: true });
    } else if (name === 'COPY')
      copy(stage, flags['from'] === undefined ? undefined : stages.get(flags['from']), words);
    else if (name === 'RUN') run(stage, rest);
    else if (name === 'ENV')
      for (const word of words)
        Object.assign(stage.env, Object.fromEntries([word.split(/=(.*)/s)]));
    else if (name === 'USER') stage.user = rest;
    else if (name !== 'EXPOSE') {
      if (!isJson)
        throw new Error(`${name} needs the JSON form: a shell would not hand signals on.`);
      if (name === 'HEALTHCHECK') stage.health = words;
      if (name === 'ENTRYPOINT') stage.entrypoint = words;
      if (name === 'CMD') stage.command = words;
    }
  }
  if (stage === undefined) throw new Error('The Dockerfile is empty.');
  return stage;
}

/**
 * @param {Stage} stage
 * @param {Stage | undefined} from the context, if left out
 * @param {readonly string[]} words
 */
function copy(stage, from, words) {
  const sources = words.slice(0, -1);
  const target = words.at(-1) ?? '.';
  const base = target.startsWith('/') ? stage.folder : join(stage.folder, stage.workdir);
  const into = join(base, target);
  const isFolder = target.endsWith('/') || target === '.';
  for (const source of sources) {
    if (from === undefined && source === '.') {
      for (const file of context()) copyTo(join(ROOT, file), join(into, file));
      continue;
    }
    const path = from === undefined ? join(ROOT, source) : join(from.folder, source);
    const name = isFolder && !statSync(path).isDirectory() ? join(into, basename(source)) : into;
    copyTo(path, name);
  }
}

/**
 * @param {string} path
 * @param {string} target
 */
function copyTo(path, target) {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(path, target, { recursive: true, verbatimSymlinks: true });
}

/** The files that a clone has, without those that `.dockerignore` leaves out. */
function context() {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const isIgnored = (/** @type {string} */ file) =>
    ignored.some((pattern) =>
      pattern.startsWith('*')
        ? file.endsWith(pattern.slice(1)) && !file.includes('/')
        : `${file}/`.startsWith(`${pattern}/`),
    );
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  return files
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(ROOT, file)) && !isIgnored(file));
}

/**
 * @param {Stage} stage
 * @param {string} line
 */
function run(stage, line) {
  const { status } = spawnSync('/bin/sh', ['-c', line], {
    ...place(stage),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`RUN ${line} ended with ${status}.`);
}

/** @param {Stage} stage */
function place(stage) {
  return { cwd: join(stage.folder, stage.workdir), env: { ...process.env, ...stage.env } };
}

/**
 * Starts the image, waits until it is healthy, and stops it as `docker stop` does. On loopback and any free port: those of
 * the image may be taken here.
 * @param {Stage} stage
 */
async function runImage(stage) {
  if (stage.user === undefined || stage.user === 'root') throw new Error('The image runs as root.');
  const runtime = mkdtempSync(join(top, 'run-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync('chown', [String(NOBODY), runtime]);
  const who = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    XDG_RUNTIME_DIR: runtime,
    ...stage.env,
  };
  const options = { cwd: join(stage.folder, stage.workdir), env, ...who };
  const words = [...stage.entrypoint, ...stage.command, '--host', '127.0.0.1', '--port', '0'];
  process.stdout.write(`${isRoot ? 'As nobody: ' : ''}${words.join(' ')}\n`);
  const [file = '', ...args] = words;
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 'a signal')));
  try {
    if (isHealthy()) throw new Error('The health check passes before anything runs.');
    const over = Date.now() + PATIENCE;
    while (!isHealthy()) {
      if (Date.now() > over || child.exitCode !== null)
        throw new Error('The image does not become healthy.');
      await sleep(200);
    }
    process.stdout.write('Healthy.\n');
    child.kill('SIGTERM');
    const code = await Promise.race([ended, sleep(PATIENCE, 'never', { ref: false })]);
    if (code !== 0) throw new Error(`After SIGTERM the image ended with ${code}.`);
    if (isHealthy()) throw new Error('The health check passes after the end.');
    process.stdout.write('Stopped.\n');
  } finally {
    child.kill('SIGKILL');
  }

  function isHealthy() {
    const [check = '', ...rest] = stage.health;
    return spawnSync(check, rest, { ...options, stdio: 'ignore' }).status === 0;
  }
}
