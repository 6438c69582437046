import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds until something that was waited for counts as missing. */
const PATIENCE = 60_000;

/**
 * The built program as its user runs it, with colours: each line a process, one home and one folder for all of them.
 */
export class Program {
  #root;
  #home = mkdtempSync(join(tmpdir(), 'agent-auth-pictures-'));
  /** @type {Set<import('node:child_process').ChildProcess>} */
  #running = new Set();

  /** @param {string} root of the project, built */
  constructor(root) {
    this.#root = root;
    mkdirSync(join(this.#home, 'folder'));
  }

  /**
   * @param {string} line as it is typed, without quotes: `agent-auth connect --call /api/resource`
   * @returns {Command}
   */
  start(line) {
    const [name, ...args] = line.split(' ');
    const mine = name === 'agent-auth';
    const file = mine ? process.execPath : String(name);
    const child = spawn(file, mine ? [join(this.#root, 'bin/agent-auth.js'), ...args] : args, {
      cwd: join(this.#home, 'folder'),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        AGENT_AUTH_HOME: join(this.#home, 'config'),
        XDG_RUNTIME_DIR: this.#home,
        FORCE_COLOR: '1',
      },
    });
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    return new Command(line, child);
  }

  /**
   * @param {string} line
   * @returns {Promise<Command>} when it has ended
   */
  async run(line) {
    const command = this.start(line);
    await command.ended();
    return command;
  }

  /** Ends what still runs, by its id. */
  async close() {
    for (const child of this.#running) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.#home, { recursive: true });
  }
}

/** A line that was typed, and what it has printed so far: stdout and stderr, as on a terminal. */
export class Command {
  line;
  output = '';
  #child;
  /** @type {Promise<void>} */
  #exit;

  /**
   * @param {string} line
   * @param {import('node:child_process').ChildProcess} child
   */
  constructor(line, child) {
    this.line = line;
    this.#child = child;
    this.#exit = new Promise((resolve) => child.once('close', () => resolve()));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        // At a terminal `call` ends the body that it shows with a new line.
        const apart =
          stream === child.stderr && /[^\n]$/.test(this.output) && /[}\]]$/.test(this.output);
        this.output += apart ? `\n${text}` : text;
      });
    }
  }

  /** @returns {Promise<void>} */
  ended() {
    return this.#inTime(this.#exit, 'it to end');
  }

  /** Ends it as Ctrl-C does. */
  async interrupt() {
    this.#child.kill('SIGINT');
    await this.ended();
  }

  /**
   * @param {RegExp} pattern in what it prints
   * @returns {Promise<string>} its first group, or all of what it matches
   */
  async says(pattern) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    /** @type {Promise<string>} */
    const found = new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(this.output);
        if (match !== null) resolve(match[1] ?? match[0]);
      };
      this.#exit.then(() => {
        look();
        reject(new Error(`${this.line} ended. It printed:\n${this.output}`));
      });
      timer = setInterval(look, 50);
    });
    return this.#inTime(found, String(pattern)).finally(() => clearInterval(timer));
  }

  /**
   * @template T
   * @param {Promise<T>} promise
   * @param {string} what
   * @returns {Promise<T>}
   */
  async #inTime(promise, what) {
    /** @type {NodeJS.Timeout | undefined} */
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    /** @type {Promise<never>} */
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`${this.line}: waited for ${what}. It printed:\n${this.output}`));
      }, PATIENCE);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
  }
}
