import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Environment } from '../../../src/cli/shell/environment.ts';
import { createStreams, type Streams } from '../../../src/cli/terminal/streams.ts';

/** A writable that remembers, and claims to be a terminal when asked to. */
class Screen extends PassThrough {
  readonly isTTY: boolean;
  readonly columns = 100;
  #text = '';

  constructor(isTTY: boolean, broken?: string) {
    super();
    this.isTTY = isTTY;
    if (broken !== undefined) {
      this._transform = (_chunk, _encoding, done) => {
        done(Object.assign(new Error(`${broken}, write`), { code: broken, syscall: 'write' }));
      };
    }
    this.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString('utf8');
    });
  }

  /** Everything that was written, escape codes included. */
  get raw(): string {
    return this.#text;
  }

  get text(): string {
    return stripVTControlCharacters(this.#text);
  }

  cursorTo(): boolean {
    return true;
  }

  clearLine(): boolean {
    return true;
  }

  moveCursor(): boolean {
    return true;
  }

  getWindowSize(): [number, number] {
    return [this.columns, 40];
  }
}

export class Keyboard extends PassThrough {
  readonly isTTY: boolean;
  isRaw = false;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  setRawMode(raw: boolean): this {
    this.isRaw = raw;
    return this;
  }
}

export interface MemoryStreams {
  readonly streams: Streams;
  readonly stdin: Keyboard;
  readonly stdout: Screen;
  readonly stderr: Screen;
}

/** The code that each write of a stream fails with, `ENOSPC` say. */
export interface Broken {
  readonly stdout?: string;
  readonly stderr?: string;
}

export function memoryStreams(
  tty: boolean,
  environment: Environment,
  broken: Broken = {},
): MemoryStreams {
  const stdin = new Keyboard(tty);
  const stdout = new Screen(tty, broken.stdout);
  const stderr = new Screen(tty, broken.stderr);
  const streams = createStreams(
    {
      stdin: stdin as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
    },
    environment,
  );
  return { streams, stdin, stdout, stderr };
}
