import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from './support/test-folder.ts';

const SCRIPT = join(import.meta.dirname, '../scripts/action/comment.js');
const MARKER = '<!-- agent-auth conformance diff: service -->';
const TOKEN = 'ghs_of-this-test-alone';

interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly type: string };
  readonly author_association: string;
}

/** The part of the REST API of GitHub that comments on pull requests. */
class Api {
  readonly comments: Comment[] = [];
  readonly requests: string[] = [];
  readonly tokens = new Set<string | undefined>();
  refuses = false;
  #server: Server | undefined;

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      request.on('end', () => {
        this.requests.push(`${request.method} ${request.url}`);
        this.tokens.add(request.headers.authorization);
        const [status, answer] = this.#answer(request.method, request.url ?? '', text);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer));
      });
    });
    this.#server = server;
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((closed) => this.#server?.close(closed));
  }

  #answer(method: string | undefined, url: string, text: string): [number, unknown] {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    if (this.refuses) return [403, { message: 'Resource not accessible by integration' }];
    if (pathname === '/repos/o/r/issues/7/comments' && method === 'GET') {
      const [size, page] = [searchParams.get('per_page'), searchParams.get('page')].map(Number);
      const start = ((page ?? 1) - 1) * (size ?? 30);
      return [200, this.comments.slice(start, start + (size ?? 30))];
    }
    const { body } = JSON.parse(text) as { readonly body: string };
    if (pathname === '/repos/o/r/issues/7/comments' && method === 'POST') {
      return [201, this.add(body)];
    }
    const id = Number(/^\/repos\/o\/r\/issues\/comments\/(\d+)$/.exec(pathname)?.[1]);
    const comment = this.comments.find((each) => each.id === id);
    if (comment === undefined || method !== 'PATCH') return [404, {}];
    comment.body = body;
    return [200, comment];
  }

  add(body: string, type = 'Bot', association = 'NONE'): Comment {
    const id = 100 + this.comments.length;
    const comment = { id, body, user: { type }, author_association: association };
    this.comments.push(comment);
    return comment;
  }
}

let folder: string;
let api: Api;
let origin: string;
beforeEach(async () => {
  folder = testFolder();
  api = new Api();
  origin = await api.start();
});
afterEach(() => api.close());

async function comment(text: string, event: object = { pull_request: { number: 7 } }) {
  writeFileSync(join(folder, 'diff.md'), text);
  writeFileSync(join(folder, 'event.json'), JSON.stringify(event));
  const child = spawn(process.execPath, [SCRIPT, 'service', join(folder, 'diff.md')], {
    env: {
      GITHUB_API_URL: origin,
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_EVENT_PATH: join(folder, 'event.json'),
      INPUT_GITHUB_TOKEN: TOKEN,
    },
    timeout: 30_000,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const code = await new Promise((ended) => child.once('close', ended));
  return { code, printed };
}

describe('the comment of the action', () => {
  it('is posted once, and edited by later runs', async () => {
    expect(await comment('first')).toEqual({ code: 0, printed: 'Commented.\n' });
    expect(await comment('second')).toMatchObject({ code: 0 });
    expect(api.comments.map(({ body }) => body)).toEqual([`${MARKER}\nsecond`]);
    expect(api.tokens).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect(api.requests.at(-1)).toBe('PATCH /repos/o/r/issues/comments/100');
  });

  it('is found beyond the first page', async () => {
    for (let count = 0; count < 130; count += 1) api.add(`a comment ${count}`, 'User');
    api.add(`${MARKER}\nold`);
    await comment('new');
    expect(api.comments).toHaveLength(131);
    expect(api.comments.at(-1)?.body).toBe(`${MARKER}\nnew`);
  });

  it('is not that of somebody who wrote the marker', async () => {
    api.add(`${MARKER}\nAll is well.`, 'User', 'CONTRIBUTOR');
    api.add(`quoted: ${MARKER}`, 'Bot');
    await comment('new');
    expect(api.comments.map(({ body }) => body)).toEqual([
      `${MARKER}\nAll is well.`,
      `quoted: ${MARKER}`,
      `${MARKER}\nnew`,
    ]);
  });

  it('is not posted where there is no pull request', async () => {
    const { code, printed } = await comment('x', { ref: 'refs/heads/main' });
    expect([code, printed]).toEqual([0, expect.stringContaining('not for a pull request')]);
    expect(api.requests).toEqual([]);
  });

  it('is a warning where the token may not write, and never shows it', async () => {
    api.refuses = true;
    const { code, printed } = await comment('x');
    expect([code, printed]).toEqual([
      0,
      expect.stringMatching(/^::warning title=agent-auth conformance::.* 403\.\n$/),
    ]);
    expect(printed).not.toContain(TOKEN);
    await api.close();
    const gone = await comment('x');
    expect([gone.code, gone.printed]).toEqual([0, expect.stringMatching(/^::warning .*\n$/)]);
  });

  it('gets its token from the environment alone', () => {
    const action = readFileSync(join(import.meta.dirname, '../action.yml'), 'utf8');
    const calls = action.match(/^.*comment\.js.*$/gm) ?? [];
    expect(calls).toHaveLength(1);
    expect(calls[0]).not.toContain('TOKEN');
    // The step that judges has no variable with it.
    expect(action.match(/github-token \}\}/g)).toHaveLength(1);
  });
});
